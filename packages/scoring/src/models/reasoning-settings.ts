import { fieldsOf } from "@assay/json"
import { invalidRequest } from "@assay/schemas"
import type { ReasoningMarks } from "./remove-marked-reasoning.ts"

type Fields = Readonly<Record<string, unknown>>

const TAGS = ["<think>", "</think>"] as const
const RULE = 'write {"remove": true, "tags": ["<think>", "</think>"]}'

/** Interceptors of NeMo's adapter that change neither the request nor what is scored. */
const WITHOUT_EFFECT = new Set([
  "endpoint",
  "caching",
  "logging",
  "nvcf",
  "progress_tracking",
  "raise_client_errors",
  "request_logging",
  "response_logging",
  "response_stats",
])
/** Older settings of NeMo's adapter that change the request. */
const ADAPTER_CHANGES = [
  "use_system_prompt",
  "custom_system_prompt",
  "params_to_add",
  "params_to_remove",
  "params_to_rename",
]
/** The names under which versions of NeMo's adapter turn the interceptor for reasoning on. */
const OLD_NAMES = ["use_reasoning", "process_reasoning_traces"]
/** The remedy for the settings of `prompt` of NeMo's models. */
const PROMPT_ADVICE: Readonly<Record<string, string>> = {
  system_prompt: "write a system message in the template",
  inference_params: "write them in `params` of the configuration, or of the judge",
  icl_template: "write the examples in the template",
}

/**
 * Reads how the reasoning of a model is removed before its answers are scored: our `reasoning` of the model or of its endpoint, and the
 * `prompt.reasoning_params` and `adapter_config` of NeMo Evaluator. Undefined: nothing is removed.
 * @param name the location of the model, for messages
 * @throws `invalid_request` that names a setting which is malformed, contradicts another one, or would change what is scored and is not
 * supported
 */
export function readReasoningSettings(model: unknown, name: string): ReasoningMarks | undefined {
  const own = fieldsOf(model)
  const endpoint = fieldsOf(own["api_endpoint"])
  const found = [
    ...ownMarks(own["reasoning"], `${name}.reasoning`),
    ...ownMarks(endpoint["reasoning"], `${name}.api_endpoint.reasoning`),
    ...promptMarks(own["prompt"], `${name}.prompt`),
    ...adapterMarks(own["adapter_config"], `${name}.adapter_config`),
    ...adapterMarks(endpoint["adapter_config"], `${name}.api_endpoint.adapter_config`),
  ]
  const [first, ...others] = found
  const other = others.find(({ marks }) => JSON.stringify(marks) !== JSON.stringify(first?.marks))
  if (other !== undefined) throw refused(other.location, `differs from '${first?.location}'; leave one of them out`)
  return first?.marks
}

/** A setting that says how reasoning is removed. */
interface Setting {
  readonly location: string
  readonly marks: ReasoningMarks
}

function ownMarks(value: unknown, location: string): readonly Setting[] {
  if (value == null) return []
  const { remove = true, tags = TAGS, ...others } = fieldsOf(value)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw refused(`${location}.${unknown}`, `is not a setting of reasoning; ${RULE}`)
  if (typeof value !== "object" || Array.isArray(value) || typeof remove !== "boolean") {
    throw refused(location, `is ${JSON.stringify(value)}; ${RULE}`)
  }
  const [start, end, ...more] = Array.isArray(tags) ? (tags as readonly unknown[]) : []
  if (!isMark(start) || !isMark(end) || start === end || more.length > 0) {
    throw refused(
      `${location}.tags`,
      `is ${JSON.stringify(tags)}; give the two texts around the reasoning, as in ${RULE}`,
    )
  }
  return remove ? [{ location, marks: { start, end, keepsUnfinished: false } }] : []
}

function promptMarks(value: unknown, location: string): readonly Setting[] {
  const { reasoning_params: params, ...others } = fieldsOf(value)
  for (const [key, advice] of Object.entries(PROMPT_ADVICE)) {
    if (isSet(others[key])) throw refused(`${location}.${key}`, `is not supported; ${advice}`)
  }
  const { end_token: end, include_if_not_finished: keeps } = fieldsOf(params)
  if (end == null) return []
  if (!isMark(end)) throw refused(`${location}.reasoning_params.end_token`, `is ${JSON.stringify(end)}; give a text`)
  return [{ location: `${location}.reasoning_params`, marks: { start: null, end, keepsUnfinished: keeps !== false } }]
}

function adapterMarks(value: unknown, location: string): readonly Setting[] {
  const adapter = fieldsOf(value)
  const changed = ADAPTER_CHANGES.find((key) => isSet(adapter[key]))
  if (changed !== undefined)
    throw refused(`${location}.${changed}`, "is not supported; write it in the template or in params")
  const isRemoved = OLD_NAMES.some((name) => adapter[name] === true)
  const old = isRemoved ? [tokenMarks(adapter, location)] : []
  const { interceptors } = adapter
  const list: readonly unknown[] = Array.isArray(interceptors) ? interceptors : []
  return [
    ...old,
    ...list.flatMap((one, index) => {
      const { name, enabled, config } = typeof one === "string" ? ({ name: one } as Fields) : fieldsOf(one)
      const at = `${location}.interceptors.${index}`
      if (enabled === false || WITHOUT_EFFECT.has(String(name))) return []
      if (name === "reasoning") return [tokenMarks(fieldsOf(config), at)]
      throw refused(at, `is the interceptor '${String(name)}', which is not supported; leave it out`)
    }),
  ]
}

function tokenMarks(config: Fields, location: string): Setting {
  const { start_reasoning_token: start = TAGS[0], end_reasoning_token: end = TAGS[1] } = config
  if (!isMark(end) || (start !== null && !isMark(start))) {
    throw refused(location, "has a start or an end of reasoning that is not a text")
  }
  return { location, marks: { start, end, keepsUnfinished: config["include_if_not_finished"] !== false } }
}

/** Longer marks are not accepted, because they would make messages long. */
const MAX_MARK = 200

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= MAX_MARK
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false
  return typeof value !== "object" || Object.keys(value).length > 0
}

function refused(location: string, rule: string): Error {
  return invalidRequest(location.split("."), `${rule}.`, "value_error")
}
