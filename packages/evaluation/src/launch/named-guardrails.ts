import type { EvaluationConfigBody } from "@assay/schemas"

/** A guardrail that a configuration names, or writes out. */
export interface NamedGuardrail {
  readonly guardrail: unknown
  /** `config.tasks.safety.params.guardrail`, … */
  readonly place: string
}

/** The guardrails of a `content_safety` configuration, for all tasks and of each. */
export function namedGuardrails({ type, params, tasks = {} }: EvaluationConfigBody): readonly NamedGuardrail[] {
  if (type !== "content_safety") return []
  const places: readonly (readonly [string, object | undefined])[] = [
    ["config", params],
    ...Object.entries(tasks).map(([name, task]) => [`config.tasks.${name}`, task.params] as const),
  ]
  return places.flatMap(([place, params]) =>
    params !== undefined && "guardrail" in params
      ? [{ guardrail: params.guardrail, place: `${place}.params.guardrail` }]
      : [],
  )
}
