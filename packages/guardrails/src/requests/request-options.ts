import type { RailSelection } from "../guardrail.ts"
import {
  invalidRequest,
  type GuardrailChoice,
  type RailOptions,
  type RailPlace,
  type ValidationIssue,
} from "@assay/schemas"

const LOCATION = ["body", "guardrails"] as const
/** Keys of `options.log` that have an effect, or that ask for what the log always contains. */
const EFFECTIVE_LOGS: ReadonlySet<string> = new Set(["activated_rails", "llm_calls"])

/** Returns the configuration name in a request: `config_id`, a text as `config`, or the only entry of `config_ids`. @throws `invalid_request` */
export function configurationIdOf({ config_id, config_ids, config }: GuardrailChoice): string | undefined {
  const given = { config_id, config: typeof config === "string" ? config : null, config_ids }
  const [first, second] = Object.entries(given).flatMap(([key, value]) => (value == null ? [] : [key]))
  if (second !== undefined) {
    const msg = `Give either '${first}' or '${second}', not both: the rails of one of them would not run`
    throw invalidRequest(LOCATION, msg, "one_of")
  }
  if (config_ids == null) return given.config_id ?? given.config ?? undefined
  const [id, ...others] = config_ids
  if (others.length > 0) {
    const msg = `names ${config_ids.length} configurations, and configurations are not combined; give one, or write all rails into one configuration`
    throw invalidRequest([...LOCATION, "config_ids"], msg, "unsupported")
  }
  return id
}

/** The vendor's names for the kinds of rails over tools, by what they judge. */
const PLACES: Readonly<Record<string, RailPlace>> = { tool_result: "tool_input", tool_call: "tool_output" }

/** Returns the rails that a request selects; undefined: all. @throws `invalid_request` if it selects them twice */
export function railsOf({ options, rail_types: types }: GuardrailChoice): RailSelection | undefined {
  const rails = options?.rails
  if (types != null) {
    if (rails != null) {
      const msg = "Give either 'rail_types' or 'options.rails', not both"
      throw invalidRequest(LOCATION, msg, "one_of")
    }
    const required = types.map((type) => PLACES[type] ?? type) as readonly RailPlace[]
    return { ...selectionOf((place) => required.includes(place)), required }
  }
  if (rails === undefined || rails === null) return undefined
  return selectionOf((place) => (isList(rails) ? rails.includes(place) : (rails[place] ?? true)))
}

function selectionOf(chosen: (place: RailPlace) => boolean | readonly string[]): RailSelection {
  return {
    input: chosen("input"),
    output: chosen("output"),
    tool_input: chosen("tool_input"),
    tool_output: chosen("tool_output"),
  }
}

/** Returns whether a request asks for the messages that its judges are asked with. */
export function showsPrompts({ options }: GuardrailChoice): boolean {
  return options?.log?.["llm_calls"] === true
}

function isList(rails: RailOptions): rails is Extract<RailOptions, readonly string[]> {
  return Array.isArray(rails)
}

/** Returns warnings about fields of a request that have no effect. */
export function requestWarnings({ options, context, state }: GuardrailChoice): readonly ValidationIssue[] {
  const log = Object.entries(options?.log ?? {})
  const entries: readonly (readonly [key: readonly string[], applies: boolean, msg: string])[] = [
    [["context"], isFilled(context), "prompts do not read it"],
    [["state"], isFilled(state), "no state is kept; each request is judged by its own messages"],
    [
      ["options", "output_vars"],
      options?.output_vars != null && options.output_vars !== false,
      "rails set no variables",
    ],
    [
      ["options", "llm_output"],
      options?.llm_output === true,
      "the response contains the output of the model unchanged",
    ],
    ...log
      .filter(([name, value]) => !EFFECTIVE_LOGS.has(name) && value === true)
      .map(
        ([name]) =>
          [
            ["options", "log", name],
            true,
            "the log contains activated rails and the prompts of their judges only",
          ] as const,
      ),
  ]
  return entries
    .filter(([, applies]) => applies)
    .map(([key, , msg]) => ({ loc: [...LOCATION, ...key], msg, type: "no_effect" }))
}

function isFilled(value: object | null | undefined): boolean {
  return value !== undefined && value !== null && Object.keys(value).length > 0
}
