/** A limit of a measure, as the parameters of the metric `usage-limit`. */
export interface UsageLimit {
  /** The short name of the measure. */
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

const MEASURES: Readonly<Record<string, string>> = {
  latency: "latency_ms",
  cost: "cost",
  tokens: "total_tokens",
  prompt_tokens: "prompt_tokens",
  completion_tokens: "completion_tokens",
}
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000 }

const LIMIT = /^([a-z_]+)\s*(<=?)\s*(\d+(?:\.\d+)?)\s*([a-z]*)$/

/**
 * Parses `latency < 2s`, `cost <= 0.01` or `tokens < 500`. A text without `<` or `>` is not a limit: undefined.
 * @returns the limit, or a sentence about what is wrong
 */
export function parseUsageLimit(text: string): UsageLimit | string | undefined {
  if (!/[<>=]/.test(text)) return undefined
  const forms = "write a limit such as `latency < 2s`, `tokens < 500` or `cost < 0.01`"
  const [, name = "", sign, digits, unit = ""] = LIMIT.exec(text.trim()) ?? []
  const measure = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined
  if (measure === undefined || digits === undefined) return `is not a limit; ${forms}`
  const scale = measure === "latency_ms" ? MILLISECONDS[unit] : unit === "" ? 1 : undefined
  if (scale === undefined) {
    return measure === "latency_ms"
      ? "needs a unit: ms, s or min, as in `latency < 2s`"
      : `has the unit '${unit}', and ${name} has none; ${forms}`
  }
  const number = Number(digits) * scale
  if (number === 0 && (sign === "<" || name !== "cost")) {
    return `is met by no answer, because ${name === "cost" ? "a cost is 0 or more" : "its limit is 0"}; ${forms}`
  }
  return { name, params: { measure, [sign === "<" ? "less_than" : "at_most"]: number } }
}
