import { fieldsOf } from "@assay/json"
import { shortJudge } from "./short-judge.ts"

const OUTPUT = "{{ sample.output_text }}"
/** The short names of comparisons of texts, by their operator. */
const TEXT_CHECKS: Readonly<Record<string, string>> = {
  "not equals": "not_equals",
  contains: "contains",
  "not contains": "not_contains",
  startswith: "starts_with",
  endswith: "ends_with",
  matches: "matches",
}
/** The only parameter of a check that is written as a value. */
const EXPECTED = new Set(["ground_truth", "references", "tool_calls_ground_truth"])
const MEASURES: Readonly<Record<string, string>> = {
  latency_ms: "latency",
  total_tokens: "tokens",
  prompt_tokens: "prompt_tokens",
  completion_tokens: "completion_tokens",
  cost: "cost",
}

/** Returns a metric of the long form as a check. The names of metric types are short names, too. @param hasShortJudges whether judges are written by their questions */
export function shortCheck(name: string, metric: Readonly<Record<string, unknown>>, hasShortJudges: boolean): unknown {
  const { type, params = {}, ...others } = metric
  const judge = hasShortJudges && type === "llm-judge" ? shortJudge(fieldsOf(params)) : undefined
  const [found, value] = judge === undefined ? namedCheck(String(type), fieldsOf(params)) : ["judge", judge]
  if (typeof value === "string" && found === "") return value
  const isEmpty = Object.keys(fieldsOf(params)).length === 0 && Object.keys(others).length === 0
  if (isEmpty && name === found && /^(?:latency|tokens|cost|ifeval)$/u.test(found)) return found
  return { [found]: value, ...(name === found ? {} : { name }), ...others }
}

function namedCheck(type: string, params: Readonly<Record<string, unknown>>): readonly [string, unknown] {
  const keys = Object.keys(params)
  const { check } = params
  if (
    type === "string-check" &&
    keys.length === 1 &&
    Array.isArray(check) &&
    check.length === 3 &&
    check[0] === OUTPUT
  ) {
    const short = TEXT_CHECKS[String(check[1])]
    if (short !== undefined) return [short, check[2]]
  }
  const limit = type === "usage-limit" ? usageLimit(params) : undefined
  if (limit !== undefined) return ["", limit]
  const [key = ""] = keys
  if (keys.length === 1 && EXPECTED.has(key)) return [type === "accuracy" ? "equals" : type, params[key]]
  return [type, params]
}

/** Returns a limit such as `latency < 2000ms`. Undefined: a text can't say it. */
function usageLimit(params: Readonly<Record<string, unknown>>): string | undefined {
  const {
    measure,
    less_than: below,
    at_most: most,
    model: _model,
    prompt_price: _a,
    completion_price: _b,
    ...others
  } = params
  const name = MEASURES[String(measure)]
  const limit = below ?? most
  if (name === undefined || typeof limit !== "number" || Object.keys(others).length > 0) return undefined
  const isSeconds = name === "latency" && limit % 1000 === 0
  const amount = isSeconds ? `${limit / 1000}s` : name === "latency" ? `${limit}ms` : String(limit)
  return `${name} ${below === undefined ? "<=" : "<"} ${amount}`
}
