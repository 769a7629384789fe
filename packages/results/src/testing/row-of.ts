import type { EvaluationRow } from "@assay/schemas"

/** Returns a row of task `qa` with an answer and a score, and with the given differences. */
export function rowOf(row_index: number, different: Partial<EvaluationRow> = {}): EvaluationRow {
  return {
    task: "qa",
    row_index,
    repeat: 0,
    attempt: 1,
    item: { question: `${row_index}?` },
    sample: { output_text: "yes", response: null, usage: null, latency_ms: 1, finish_reason: "stop" },
    scores: { judge: { quality: 4 } },
    error: null,
    ...different,
  }
}

/** Returns a row whose judge gave an unreadable answer. */
export function unreadableRow(row_index: number, reason: string, raw: string): EvaluationRow {
  return rowOf(row_index, { scores: { judge: { quality: "NaN" } }, unreadable: { judge: { reason, raw } } })
}
