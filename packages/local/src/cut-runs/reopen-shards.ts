import { readSegment } from "@assay/registry"
import { deleteAll, parseFilePath } from "@assay/storage"
import {
  removeDecisions,
  MERGED,
  readMergedRecord,
  countFailures,
  noteFailure,
  readPlan,
  readProgress,
  writeProgress,
  listDone,
  type ShardRecord,
  type RunStore,
  runFiles,
} from "@assay/executors"
import { removeValues } from "./gates/gate-values.ts"
import { readRecords } from "./read-segments.ts"

/**
 * Opens the shards of a run again that have failed rows, or ended because too many rows had failed, so that their next process asks those rows again and keeps the others.
 * If shards have ended by gates, they are opened, too: the gates are decided anew. Returns their indexes.
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
  const failed = records.filter(hasFailed)
  // Gates are decided anew if the rows change, or if the rows did not decide them, so that there are no results.
  const decidesAnew = failed.length > 0 || (await readMergedRecord(store)) === undefined
  const opened = records.filter((one) => hasFailed(one) || (decidesAnew && one.end.kind === "gates"))
  if (opened.length === 0) return []
  await store.storage.delete(MERGED)
  await removeDecisions(store)
  for (const record of opened) await reopen(store, record, now)
  return opened.map(({ index }) => index)
}

function hasFailed({ progress, end }: ShardRecord): boolean {
  return end.kind === "share" || (progress.failed > 0 && end.kind !== "budget")
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
  await removeValues(store, index)
  await storage.delete(runFiles.done(index))
  await deleteAll(storage, { prefix: `segments/${runFiles.rows(index).split("/")[1]}/` })
}

async function* linesOf({ storage }: RunStore, { segments }: ShardRecord): AsyncGenerator<Uint8Array, void> {
  for (const { segment } of segments) yield* await readSegment(storage, segment)
}
