import type { EvaluationResult, EvaluationRow, ScoreValue } from "@assay/schemas"
import { createSummary } from "@assay/metrics"
import type { ScoreSummary, TaskSummary } from "../progress/plan-outcome.ts"
import { buildResult } from "../scores/build-result.ts"

/** Returns a row of a journal. */
export function rowOf(
  index: number,
  scores: EvaluationRow["scores"],
  more: Partial<EvaluationRow> = {},
): EvaluationRow {
  return {
    task: "qa",
    row_index: index,
    repeat: 0,
    attempt: 1,
    item: { prompt: `question ${index}` },
    sample: { output_text: `answer ${index}`, response: null, usage: null, latency_ms: 12, finish_reason: "stop" },
    scores,
    error: null,
    ...more,
  }
}

/** Returns the summary of a score's values. "NaN" counts as unreadable. */
export function summaryOf(values: readonly ScoreValue[], counts: Partial<ScoreSummary["counts"]> = {}): ScoreSummary {
  const summary = createSummary()
  for (const value of values) summary.add(Number(value))
  const stats = summary.result()
  return {
    stats,
    value: stats.mean,
    counts: { scored: stats.count, unreadable: stats.nan_count, errored: 0, skipped: 0, ...counts },
  }
}

/** Returns the result of a job with these tasks. */
export function resultOf(...tasks: readonly TaskSummary[]): EvaluationResult {
  return buildResult(
    { tasks },
    { id: "evaluation_result-1", job: "eval-1", namespace: "default", filesUrl: null, createdAt: 0 },
  )
}
