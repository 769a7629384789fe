import type { EvaluationRow } from "@assay/schemas"
import { createRowValues } from "./row-values.ts"

/**
 * The rows of a task that count, each once: the last attempt of its first repeat. Reads all rows twice, and keeps 8 bytes for
 * each row.
 */
export async function* latestRows(
  readAll: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>,
  task: string,
  signal?: AbortSignal,
): AsyncGenerator<EvaluationRow, void, undefined> {
  const attempts = createRowValues()
  const isMeant = (row: EvaluationRow) => row.task === task && row.repeat === 0
  for await (const rows of readAll(signal)) {
    for (const row of rows) if (isMeant(row)) attempts.set(row.row_index, 0, row.attempt)
  }
  for await (const rows of readAll(signal)) {
    for (const row of rows) if (isMeant(row) && attempts.get(row.row_index, 0) === row.attempt) yield row
  }
}
