import { summarize } from "@assay/metrics"
import { buildResult, type JobToCompare } from "@assay/results"
import type { EvaluationRow } from "@assay/schemas"

/** Returns results of one score with these values of each row, by repeat. */
export function jobOf(name: string, drawn: readonly (readonly number[])[]): JobToCompare {
  const rows = drawn.flatMap((repeats, row_index) =>
    repeats.map((value, repeat): EvaluationRow => ({
      task: "qa",
      row_index,
      repeat,
      attempt: 1,
      item: { row_index },
      sample: null,
      scores: { right: { right: value } },
      error: null,
    })),
  )
  const stats = summarize(drawn.flat(), { rows: rows.map(({ row_index }) => row_index) })
  const counts = { scored: stats.count, unreadable: 0, errored: 0, skipped: 0 }
  const metrics = { right: { right: { stats, value: stats.mean, counts } } }
  const facts = { id: "", job: name, namespace: "default", filesUrl: null, createdAt: 0 }
  return {
    id: name,
    name,
    result: buildResult({ tasks: [{ task: "qa", metrics }] }, facts),
    async *rows() {
      yield rows
    },
  }
}
