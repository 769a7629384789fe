import type { AssayError } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { sql } from "kysely"
import type { Queries } from "@assay/database"
import { holdJob } from "../move-job.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import type { RememberedRecords } from "./remember-records.ts"
import { type Segment, writeSegments } from "./segments.ts"
import type { FinishOptions, ShardCounts } from "./sharded-jobs.ts"
import { journalFolder } from "./sharded-journal.ts"

/** A shard that a worker has. */
export interface HeldShard {
  readonly jobId: string
  readonly shard: number
  readonly worker: string
  /** The records that are in no segment yet. */
  readonly records: RememberedRecords
  /** Returns the error of a worker that has lost its lease. */
  readonly lost: () => AssayError
}

/** Records that are read in one query. */
const PAGE = 8
/** Characters of the lines that are put in order. */
const MAX_ARRANGED = 16 * 1024 * 1024

/** Moves the rows of a shard from the database to segments on the default storage. */
export async function finishShard(
  { database, openDefaultStorage }: ShardedJournalContext,
  held: HeldShard,
  { counts, facts, arrange }: FinishOptions & { readonly counts: ShardCounts },
): Promise<void> {
  const { jobId, shard, worker, records, lost } = held
  async function* texts(): AsyncGenerator<string, void> {
    let page = records.all()
    const isAll = page !== undefined
    page ??= await database.read((queries) => records.after(queries, 0, PAGE))
    for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
      for (const { lines } of page) yield lines
      if (isAll) break
      const { seq } = last
      page = await database.read((queries) => records.after(queries, seq, PAGE))
    }
  }
  // No other worker writes to these paths, not even one that takes the shard later.
  const pathOf = (number: number) => parseFilePath(`${journalFolder(jobId)}${shard}/${worker}-${number}.jsonl.zst`)
  const written = { texts: arranged(texts(), arrange), facts: records.areOwn() ? facts : undefined }
  const segments = await writeSegments(await openDefaultStorage(), pathOf, written)
  const isDone = await database.write(async (queries) => {
    await holdJob(queries, database, jobId)
    if (!(await markDone(queries, held, counts))) return isMarkedDone(queries, held)
    if (segments.length > 0) await moveToSegments(queries, held, segments)
    return true
  })
  if (!isDone) throw lost()
}

/** Puts the lines of all texts in order, unless they are too long to be in memory. */
async function* arranged(
  texts: AsyncGenerator<string, void>,
  arrange: FinishOptions["arrange"],
): AsyncGenerator<string, void> {
  if (arrange === undefined) {
    yield* texts
    return
  }
  const held: string[] = []
  let length = 0
  while (length <= MAX_ARRANGED) {
    const { value, done } = await texts.next()
    if (done === true) {
      if (length > 0) yield await arrange(held.join(""))
      return
    }
    held.push(value)
    length += value.length
  }
  yield* held
  yield* texts
}

/** Marks a shard as done. Returns false, and changes nothing, if the worker does not have it. */
async function markDone(queries: Queries, { jobId, shard, worker }: HeldShard, counts: ShardCounts): Promise<boolean> {
  const { processed, failed, promptTokens, completionTokens } = counts
  const { rows } = await sql`update evaluation_shards set is_done = 1, worker = '', processed = ${processed},
      failed = ${failed}, prompt_tokens = ${promptTokens}, completion_tokens = ${completionTokens}
    where job_id = ${jobId} and shard = ${shard} and worker = ${worker}
    returning shard`.execute(queries)
  return rows.length === 1
}

/** Returns whether a shard is done: an earlier call finished it, and only its response was lost. */
async function isMarkedDone(queries: Queries, { jobId, shard }: HeldShard): Promise<boolean> {
  const row = await queries
    .selectFrom("evaluation_shards")
    .select("is_done")
    .where((row) => row.and({ job_id: jobId, shard }))
    .executeTakeFirst()
  return row?.is_done === 1
}

/** Records the segments of a shard, and removes its rows from the database. */
async function moveToSegments(
  queries: Queries,
  { jobId, shard }: HeldShard,
  segments: readonly Segment[],
): Promise<void> {
  const { rows } = await sql<{ readonly last_segment: number }>`update evaluation_sharded_jobs
    set last_segment = last_segment + ${segments.length} where job_id = ${jobId} returning last_segment`.execute(
    queries,
  )
  const last = rows[0]?.last_segment ?? 0
  const values = segments.map(({ path, frames, facts }, at) => {
    const seq = last - segments.length + 1 + at
    const sizes = facts === undefined ? null : JSON.stringify(facts)
    return sql`(${jobId}, ${seq}, ${shard}, ${path}, ${JSON.stringify(frames)}, ${sizes})`
  })
  await sql`insert into evaluation_segments (job_id, seq, shard, path, frames, facts)
    values ${sql.join(values)}`.execute(queries)
  await sql`delete from evaluation_shard_rows where job_id = ${jobId} and shard = ${shard}`.execute(queries)
}
