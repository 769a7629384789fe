import type { ScoreValue } from "./evaluation-result.ts"
import type { TokenUsage } from "../inference/chat.ts"

/** What the model, or whatever stands for it, gave for a row. */
export interface EvaluationSample {
  readonly output_text: string | null
  /** The whole answer. */
  readonly response: unknown
  readonly usage: TokenUsage | null
  readonly latency_ms: number | null
  readonly finish_reason: string | null
}

/** A line of `rows.jsonl`: one row, repeat and attempt. The last attempt of a row counts. */
export interface EvaluationRow {
  readonly task: string
  /** From 0, in the order of the dataset. */
  readonly row_index: number
  /** From 0. */
  readonly repeat: number
  /** Rounds: 1 in the first run, one more in each retry. */
  readonly attempt: number
  readonly item: Readonly<Record<string, unknown>>
  readonly sample: EvaluationSample | null
  readonly scores: Readonly<Record<string, Readonly<Record<string, ScoreValue>>>>
  /** Why scores are NaN, by metric, where they are. */
  readonly unreadable?: Readonly<Record<string, { readonly reason: string; readonly raw: string }>>
  /** The label of each score by a rubric, by metric. */
  readonly labels?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly error: { readonly code: string; readonly message: string } | null
}
