import { readSegment } from "@assay/registry"
import { deleteAll, parseFilePath } from "@assay/storage"
import { MERGED } from "./merged-run.ts"
import { readRecords } from "./read-segments.ts"
import { countFailures, noteFailure } from "./shard-failures.ts"
import { readPlan } from "./shard-plan.ts"
import { readProgress, writeProgress } from "./shard-progress.ts"
import { listDone, type ShardRecord } from "./shard-record.ts"
import { type RunStore, runFiles } from "./store/run-store.ts"

/**
 * Opens the shards of a run again that have failed rows, or ended because too many rows had failed, so that their next process asks those rows again and keeps the others. Returns their indexes.
 * A crash in between loses nothing: the rows are copied before the record of the shard is removed.
 * @param now returns milliseconds since 1970, UTC
 */
export async function reopenFailedShards(store: RunStore, now: () => number): Promise<readonly number[]> {
  const { shards } = await readPlan(store)
  // Shards without a record are asked again anyway.
  const records = await readRecords(
    store,
    (await listDone(store)).filter((index) => index < shards.length),
  )
  const failed = records.filter(
    ({ progress, end }) => end.kind === "share" || (progress.failed > 0 && end.kind === "finished"),
  )
  if (failed.length > 0) await store.storage.delete(MERGED)
  for (const record of failed) await reopen(store, record, now)
  return failed.map(({ index }) => index)
}

async function reopen(store: RunStore, record: ShardRecord, now: () => number): Promise<void> {
  const { storage } = store
  const { index, progress } = record
  // Before the rows of every process, which begin with the time.
  const rows = parseFilePath(`${runFiles.rows(index)}000000000000000-reopened.jsonl`)
  await storage.write(rows, linesOf(store, record))
  const attempt = (await countFailures(store, index)) + 1
  const message = `Its failed rows (${progress.failed}) are asked again.`
  const findings = { errors: [], retries: [] }
  await noteFailure(store, { index, attempt, at: now(), code: "rows_failed", message, findings })
  // Its failed rows are asked again, so they don't end the other shards.
  const counts = await readProgress(store, index)
  if (counts !== undefined) await writeProgress(store, index, { ...counts, standing: 0 })
  await storage.delete(runFiles.done(index))
  await deleteAll(storage, { prefix: `segments/${runFiles.rows(index).split("/")[1]}/` })
}

async function* linesOf({ storage }: RunStore, { segments }: ShardRecord): AsyncGenerator<Uint8Array, void> {
  for (const { segment } of segments) yield* await readSegment(storage, segment)
}
