import type { Journal } from "@assay/evaluation"
import type { EvaluationRow } from "@assay/schemas"
import { readSegments } from "../cut-runs/read-segments.ts"
import type { ShardRecord } from "../cut-runs/shard-record.ts"
import type { RunStore } from "../cut-runs/store/run-store.ts"

export interface ImportRowsOptions {
  readonly store: RunStore
  readonly records: readonly ShardRecord[]
  readonly tasks: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Adds the published rows of shards to the journal of a job. A row that the journal has already, in the same position, is not added again: an earlier runner
 * began to add them, or a shard has asked its failed rows again. Of a row with several lines the last one counts. @throws `content_damaged`
 */
export async function importRows(
  journal: Journal,
  { store, records, tasks, signal }: ImportRowsOptions,
): Promise<void> {
  const known = rowsOf(journal.read(signal))
  const segments = readSegments(store, records, tasks)
  let isOver = false
  for await (const rows of segments.read(signal)) {
    for (const row of rows) {
      const before: EvaluationRow | undefined = isOver ? undefined : (await known.next()).value
      isOver = before === undefined
      if (before !== undefined && JSON.stringify(before) === JSON.stringify(row)) continue
      journal.append(row)
    }
    await (journal.drained?.() ?? journal.flush())
  }
  await known.return(undefined)
  await journal.flush()
}

async function* rowsOf(batches: AsyncIterable<readonly EvaluationRow[]>): AsyncGenerator<EvaluationRow, undefined> {
  for await (const rows of batches) yield* rows
  return undefined
}
