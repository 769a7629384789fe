import { fieldsOf, isObject, listOf, readNumber } from "@assay/json"
import { valueText } from "@assay/scoring"

/** A sample of a log as a row. */
export interface SampleRow {
  readonly id: string
  readonly epoch: number
  /** A text, or messages. */
  readonly input: unknown
  readonly target: unknown
  readonly output: string | null
  /** By scorer. Null: the value is not a number and has none. */
  readonly scores: Readonly<Record<string, number | null>>
  readonly score_details: Readonly<Record<string, unknown>>
  readonly model: string | null
  readonly finish_reason: string | null
  readonly latency_ms: number | null
  readonly total_tokens: number | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly error: string | null
}

/** Grades of Inspect as numbers: correct, incorrect, partly correct, no answer. */
const GRADES: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 }
/** Characters of an explanation that are kept. */
const MAX_DETAIL = 4000

/** Converts a sample of Inspect to a row. Unknown fields are left out, and missing ones are null. */
export function sampleRow(sample: Readonly<Record<string, unknown>>, index: number): SampleRow {
  const textOf = attachmentReader(sample)
  const output = fieldsOf(sample["output"])
  const choice = fieldsOf(listOf(output["choices"])[0])
  const usage = fieldsOf(output["usage"])
  const { id, epoch, target, error, total_time: seconds } = sample
  // Logs of old versions have one score.
  const { score, scores: given = score === undefined || score === null ? {} : { score } } = sample
  const scores = Object.entries(fieldsOf(given))
  const completion = output["completion"] ?? fieldsOf(choice["message"])["content"]
  return {
    id: typeof id === "string" || typeof id === "number" ? String(id) : String(index + 1),
    epoch: typeof epoch === "number" ? epoch : 1,
    input: inputOf(sample["input"], textOf),
    target: Array.isArray(target) ? target.map(textOf) : target === undefined ? null : textOf(target),
    output: completion === undefined || completion === null ? null : textOf(completion),
    scores: Object.fromEntries(scores.flatMap(([name, score]) => numbersOf(name, fieldsOf(score)["value"]))),
    score_details: Object.fromEntries(scores.map(([name, score]) => [name, detailsOf(fieldsOf(score), textOf)])),
    model: typeof output["model"] === "string" ? output["model"] : null,
    finish_reason: typeof choice["stop_reason"] === "string" ? choice["stop_reason"] : null,
    latency_ms: typeof seconds === "number" ? Math.round(seconds * 1000) : null,
    total_tokens: typeof usage["total_tokens"] === "number" ? usage["total_tokens"] : null,
    metadata: fieldsOf(sample["metadata"]),
    error:
      error === undefined || error === null ? null : textOf(fieldsOf(error)["message"] ?? error).slice(0, MAX_DETAIL),
  }
}

/** Returns a reader of texts, which replaces references to attachments of the sample. */
function attachmentReader(sample: Readonly<Record<string, unknown>>): (value: unknown) => string {
  const attachments = fieldsOf(sample["attachments"])
  const textOf = (value: unknown): string => {
    if (typeof value === "string") {
      const key = value.startsWith("attachment://") ? value.slice("attachment://".length) : undefined
      const found = key !== undefined && Object.hasOwn(attachments, key) ? attachments[key] : undefined
      return typeof found === "string" ? found : value
    }
    if (Array.isArray(value)) {
      const parts = value.map((part) => fieldsOf(part)["text"]).filter((text) => typeof text === "string")
      return parts.length > 0 ? parts.map(textOf).join("\n") : JSON.stringify(value)
    }
    return value === undefined || value === null ? "" : isObject(value) ? JSON.stringify(value) : valueText(value)
  }
  return textOf
}

function inputOf(input: unknown, textOf: (value: unknown) => string): unknown {
  if (!Array.isArray(input)) return textOf(input)
  return input.map((message) => {
    const { role, content } = fieldsOf(message)
    return { role: typeof role === "string" ? role : "user", content: textOf(content) }
  })
}

/** Returns the numbers of a score: itself, or one for each key of an object. */
function numbersOf(name: string, value: unknown): readonly (readonly [string, number | null])[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) => numbersOf(`${name}-${key}`, isObject(one) ? null : one))
  return [[scoreName(name), gradeNumber(value)]]
}

function gradeNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value !== "string") return null
  return (Object.hasOwn(GRADES, value) ? GRADES[value] : readNumber(value.trim())) ?? null
}

/** Returns the name of a metric for a scorer. */
export function scoreName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 100) || "score"
}

function detailsOf(
  { value, answer, explanation }: Readonly<Record<string, unknown>>,
  textOf: (value: unknown) => string,
): object {
  return {
    value: value ?? null,
    answer: answer === undefined || answer === null ? null : textOf(answer).slice(0, MAX_DETAIL),
    explanation: explanation === undefined || explanation === null ? null : textOf(explanation).slice(0, MAX_DETAIL),
  }
}
