import { invalidRequest, type GuardrailChoice, type RailOptions, type ValidationIssue } from "@assay/schemas"
import type { RailSelection } from "@assay/guardrails"

const PLACE = ["body", "guardrails"] as const

/** The name of the configuration that a request gives, as `config_id` or as the one entry of `config_ids`. @throws `invalid_request` */
export function configurationIdOf({ config_id, config_ids }: GuardrailChoice): string | undefined {
  if (config_ids === undefined) return config_id
  if (config_id !== undefined) {
    const msg = "Give one of 'config_id' and 'config_ids'; both are there, and each rail of one would be left out"
    throw invalidRequest(PLACE, msg, "one_of")
  }
  const [id, ...others] = config_ids
  if (others.length > 0) {
    const msg = `names ${config_ids.length} configurations, which are not combined; give one, or write their rails into one configuration`
    throw invalidRequest([...PLACE, "config_ids"], msg, "unsupported")
  }
  return id
}

/** Which rails a request wants to run; undefined: all. */
export function railsOf({ options }: GuardrailChoice): RailSelection | undefined {
  const rails = options?.rails
  if (rails === undefined || rails === null) return undefined
  if (isList(rails)) return { input: rails.includes("input"), output: rails.includes("output") }
  return { input: rails.input ?? true, output: rails.output ?? true }
}

function isList(rails: RailOptions): rails is Extract<RailOptions, readonly string[]> {
  return Array.isArray(rails)
}

/** What of a request has no effect. */
export function requestWarnings({ options, context, state }: GuardrailChoice): readonly ValidationIssue[] {
  const log = Object.entries(options?.log ?? {})
  const entries: readonly (readonly [key: readonly string[], applies: boolean, msg: string])[] = [
    [["context"], isFilled(context), "prompts do not read it"],
    [["state"], isFilled(state), "no state is kept: each request is judged by its own messages"],
    [
      ["options", "output_vars"],
      options?.output_vars != null && options.output_vars !== false,
      "rails set no variables",
    ],
    [["options", "llm_output"], options?.llm_output === true, "answers hold what the model answered as it is"],
    ...log
      .filter(([name, value]) => name !== "activated_rails" && value === true)
      .map(([name]) => [["options", "log", name], true, "the log holds activated rails only"] as const),
  ]
  return entries
    .filter(([, applies]) => applies)
    .map(([key, , msg]) => ({ loc: [...PLACE, ...key], msg, type: "no_effect" }))
}

function isFilled(value: object | null | undefined): boolean {
  return value !== undefined && value !== null && Object.keys(value).length > 0
}
