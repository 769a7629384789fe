import { type LaunchEstimate, printable } from "@assay/schemas"
import { formatDuration, formatInteger } from "./format-number.ts"

/** A number of an estimate, with its name. */
export interface EstimateFact {
  readonly name: string
  readonly value: string
}

const UNKNOWN = "unknown"

/** Returns the requests, cost and time of a job. Unknown numbers are called unknown, and never 0. */
export function estimateFacts(estimate: LaunchEstimate): readonly EstimateFact[] {
  const {
    rows,
    about_rows: about,
    requests,
    models,
    prompt_tokens,
    completion_tokens,
    cost,
    currency,
    seconds,
    seconds_range: range,
    half_width,
    detectable,
  } = estimate
  const asked = estimatedRequests(estimate)
  const facts = [
    { name: "Rows", value: rows === null ? aboutOf(about) : formatInteger(rows) },
    { name: "Requests", value: requests === null && asked !== null ? aboutOf(asked) : integerOrUnknown(asked) },
    ...(half_width === null ? [] : [{ name: "Interval of a share", value: `at most ±${pointsOf(half_width)}` }]),
    ...(detectable === null
      ? []
      : [{ name: "Difference found", value: `from ${pointsOf(detectable)} between two jobs` }]),
  ]
  if (models.length === 0) return facts
  return [
    ...facts,
    { name: "Tokens of prompts", value: sumOfModels(prompt_tokens, models, "prompt_tokens", formatInteger) },
    { name: "Tokens of answers", value: sumOfModels(completion_tokens, models, "completion_tokens", formatInteger) },
    {
      name: "Cost",
      value: currency === null ? UNKNOWN : sumOfModels(cost, models, "cost", (amount) => formatCost(amount, currency)),
    },
    { name: "Time", value: timeOf(seconds, range) },
  ]
}

/** Estimates of servers before this version have no range. */
function timeOf(seconds: number | null, range: LaunchEstimate["seconds_range"]): string {
  if (seconds === null) return UNKNOWN
  if (range == null) return `about ${formatDuration(seconds * 1000)}`
  return `${formatDuration(range.low * 1000)} to ${formatDuration(range.high * 1000)}`
}

type ModelEstimate = LaunchEstimate["models"][number]

/** Formats a sum over models. If it is not known for some of them, says what it is for the others. */
function sumOfModels(
  sum: number | null,
  models: readonly ModelEstimate[],
  key: "prompt_tokens" | "completion_tokens" | "cost",
  format: (value: number) => string,
): string {
  if (sum !== null) return `about ${format(sum)}`
  const unknown = models.filter((one) => one[key] === null).map(({ model }) => `'${printable(model)}'`)
  const known = models.reduce((total, one) => total + (one[key] ?? 0), 0)
  if (unknown.length === 0 || unknown.length === models.length) return UNKNOWN
  return `at least about ${format(known)}; unknown for ${unknown.join(", ")}`
}

/** Returns how many requests a job sends, or about how many if its rows were not counted; null if nothing says it. */
export function estimatedRequests({ requests, models }: Pick<LaunchEstimate, "requests" | "models">): number | null {
  return requests ?? sumOf(models.map((model) => model.requests))
}

/** Formats an amount of money with two digits that count, if it is small. */
export function formatCost(amount: number, currency: string): string {
  const [whole = "0", part = "00"] = amount.toFixed(2).split(".")
  const text = amount === 0 || amount >= 0.01 ? `${formatInteger(Number(whole))}.${part}` : amount.toPrecision(2)
  // Prices in an evaluation file have no currency.
  return currency === "" ? text : `${text} ${currency}`
}

function pointsOf(share: number): string {
  return `${(100 * share).toFixed(1)} points`
}

function integerOrUnknown(value: number | null): string {
  return value === null ? UNKNOWN : formatInteger(value)
}

function aboutOf(value: number | null): string {
  return value === null ? UNKNOWN : `about ${formatInteger(value)}`
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.length === 0 || numbers.includes(null)
    ? null
    : numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0)
}
