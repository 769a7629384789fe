import { digestNumber, outputDigest } from "../../rows/output-digest.ts"
import type { EvaluationRow } from "@assay/schemas"
import { NUMBER_RANGES } from "@assay/json"
import { findInRow } from "../../conditions/row-condition.ts"

/** The facts of a row that the index of a job keeps. */
export interface RowFacts {
  readonly task: string
  readonly row: number
  readonly repeat: number
  readonly attempt: number
  /** In milliseconds; NaN if there is no answer, or if a row of a user's file has no possible time. */
  readonly latency: number
  /** The code of the error, or "" without one. */
  readonly error: string
  /** The code of the condition that the row shows, or "" without one. */
  readonly condition: string
  /** The outcome of a guardrail: `pass`, `block`, `unreadable`; or "" for other rows. */
  readonly verdict: string
  /** The first 48 bits of the digest of item and output; NaN if the item is nested too deeply for one. */
  readonly digest: number
  /** By `metric.score`. A score without a number is NaN. */
  readonly scores: readonly (readonly [string, number])[]
}

export function rowFacts(row: EvaluationRow): RowFacts {
  const { task, row_index, repeat, attempt, sample, error, scores } = row
  return {
    task,
    row: row_index,
    repeat,
    attempt,
    latency: latencyOf(sample?.latency_ms),
    error: error?.code ?? "",
    condition: findInRow(row) ?? "",
    verdict: verdictOf(sample?.response),
    digest: digestOf(row),
    scores: Object.entries(scores).flatMap(([metric, found]) =>
      Object.entries(found).map(([score, value]) => [scoreKey(metric, score), numberOrNaN(value)] as const),
    ),
  }
}

function scoreKey(metric: string, score: string): string {
  return `${metric}.${score}`
}

function latencyOf(milliseconds: number | null | undefined): number {
  const { maximum } = NUMBER_RANGES.seconds
  return typeof milliseconds === "number" && milliseconds >= 0 && milliseconds <= maximum * 1000
    ? milliseconds
    : Number.NaN
}

function digestOf(row: EvaluationRow): number {
  try {
    return digestNumber(outputDigest(row))
  } catch (error) {
    if (error instanceof RangeError) return Number.NaN
    throw error
  }
}

function numberOrNaN(value: unknown): number {
  return typeof value === "number" ? value : Number.NaN
}

const MAX_VERDICT = 100

/** Returns the outcome of a judged prompt, which the sample of a content safety task holds as its response. */
function verdictOf(response: unknown): string {
  if (typeof response !== "object" || response === null || !("outcome" in response)) return ""
  return typeof response.outcome === "string" ? response.outcome.slice(0, MAX_VERDICT) : ""
}
