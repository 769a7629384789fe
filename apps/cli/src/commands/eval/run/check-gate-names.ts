import { shapePlan, type ScoreGate } from "@assay/evaluation"
import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { printable } from "../../../output/printable.ts"

/** What a file has written in place; names are known to a server alone. */
export interface Launchable {
  readonly target: string | EvaluationTargetBody
  readonly config: string | EvaluationConfigBody
}

/**
 * Finds gates on scores that there will not be before anybody is asked. What can't be told yet is left to the result.
 * @throws `bad_usage` with the scores that there will be
 */
export function checkGateNames(gates: readonly ScoreGate[], { target, config }: Launchable): void {
  if (gates.length === 0 || typeof target === "string" || typeof config === "string") return
  const { tasks, issues } = shapePlan(target, config)
  if (tasks.length === 0 || issues.length > 0) return
  const names = tasks.flatMap(({ name, group, metrics }) =>
    metrics.flatMap(({ key, scores }) => scores.map((score) => `${group ?? name}.${key}.${score}`)),
  )
  const unknown = gates.find(({ name }) => !names.includes(name))
  if (unknown === undefined) return
  const message = `There is no score '${printable(unknown.name)}' for a gate: there are ${names.map(printable).join(", ")}.`
  throw new AssayError("bad_usage", message)
}
