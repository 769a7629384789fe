import type { AssayError } from "@assay/schemas"
import { NO_PATIENCE, parseFilePath, type Outages } from "@assay/storage"
import { type RawBuilder, sql } from "kysely"
import type { Queries } from "../../database/database.ts"
import { addRecordOfShard, recordsOfShard } from "../journal-records.ts"
import { openTableJournal, type TableJournal } from "../table-journal.ts"
import type { HeldShards, ShardsContext } from "./hold-shards.ts"
import { writeSegments } from "./segments.ts"
import { rememberRecords, type RememberedRecords } from "./remember-records.ts"
import { runningShards } from "./open-shards.ts"
import type { ShardCounts, TakenShard, WorkspaceLimits } from "./sharded-jobs.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import { journalFolder, readShard } from "./sharded-journal.ts"

export type TakeShardContext = ShardsContext & ShardedJournalContext

interface Options {
  readonly jobId: string
  readonly worker: string
  readonly limits: WorkspaceLimits
  /** Does nothing and returns undefined if the lease of the worker is lost. */
  readonly whileHeld: <T>(work: (queries: Queries, held: HeldShards) => Promise<T>) => Promise<T | undefined>
  readonly lost: () => AssayError
}

/** Takes the first free shard of a job, in the order of tasks and rows. Undefined if none is free, or its workspace has enough. */
export async function takeShard(context: TakeShardContext, options: Options): Promise<TakenShard | undefined> {
  const { jobId, worker, limits, whileHeld } = options
  const row = await whileHeld(async (queries, { shards, job }) => {
    if (shards.is_open === 0 || !(await hasRoom(queries, job.namespace, limits))) return undefined
    return queries
      .updateTable("evaluation_shards")
      .set({ worker })
      .where("job_id", "=", jobId)
      .where("shard", "=", (where) =>
        where
          .selectFrom("evaluation_shards as free")
          .select("free.shard")
          .where((row) => row.and({ "free.job_id": jobId, "free.is_done": 0, "free.worker": "" }))
          .orderBy("free.shard")
          .limit(1),
      )
      .returning(["shard", "task", "first_row", "end_row", hasRows().as("has_rows")])
      .executeTakeFirst()
  })
  if (row === undefined) return undefined
  const { shard, task, first_row: firstRow, end_row: endRow, has_rows } = row
  const isNew = has_rows === 0
  const records = rememberRecords(recordsOfShard(jobId, shard), isNew)
  return {
    shard,
    task,
    firstRow,
    endRow,
    openJournal: (outages = NO_PATIENCE) =>
      openShardJournal({ ...context, outages }, options, { shard, records, isNew }),
    finish: (counts, facts) => finishShard(context, options, { shard, records, counts, facts }),
  }
}

/** Returns 1 if a worker has added rows to the shard, else 0, as an expression. */
function hasRows(): RawBuilder<number> {
  const rowsIn = (table: string) =>
    sql`exists (select 1 from ${sql.table(table)} as kept where kept.job_id = evaluation_shards.job_id and kept.shard = evaluation_shards.shard)`
  return sql<number>`case when ${rowsIn("evaluation_shard_rows")} or ${rowsIn("evaluation_segments")} then 1 else 0 end`
}

async function hasRoom(queries: Queries, workspace: string, { maxShards }: WorkspaceLimits): Promise<boolean> {
  if (maxShards === undefined) return true
  const { rows } = await sql<{ readonly count: number }>`select ${runningShards(sql`${workspace}`)} as count`.execute(
    queries,
  )
  return (rows[0]?.count ?? 0) < maxShards
}

interface Held {
  readonly shard: number
  /** The records that are in no segment yet. */
  readonly records: RememberedRecords
}

/** Opens a journal that begins with the segments of the shard. New rows are in the database until the shard is done. */
async function openShardJournal(
  context: TakeShardContext & { readonly outages: Outages },
  { jobId, worker }: Options,
  { shard, records, isNew }: Held & { readonly isNew: boolean },
): Promise<TableJournal> {
  const { database, outages } = context
  const journal = await openTableJournal({
    database,
    outages,
    jobId,
    records,
    async add(record) {
      // Before it is added: the response may be lost, and a shard whose record was not added does not finish.
      records.remember(record)
      const insert = (queries: Queries) => addRecordOfShard(queries, database, { jobId, shard, worker, record })
      return database.write(insert, { isSingle: true })
    },
  })
  const stored = readShard(context, jobId, shard)
  // A new shard has nothing to read, which costs several statements to find out.
  const isEmpty = () => isNew && records.all()?.length === 0
  return {
    ...journal,
    async *bytes(signal) {
      if (!isEmpty()) yield* stored.bytes(signal)
    },
    async *batches(signal) {
      if (!isEmpty()) yield* stored.batches(signal)
    },
  }
}

/** Returns whether a shard is done: an earlier call finished it, and only its response was lost. */
async function isDone(queries: Queries, jobId: string, shard: number): Promise<true | undefined> {
  const row = await queries
    .selectFrom("evaluation_shards")
    .select("is_done")
    .where((row) => row.and({ job_id: jobId, shard }))
    .executeTakeFirst()
  return row?.is_done === 1 ? true : undefined
}

/** Records that are read in one query. */
const PAGE = 8

/** Moves the rows of a shard from the database to segments on the default storage. */
async function finishShard(
  { database, openDefaultStorage }: TakeShardContext,
  { jobId, whileHeld, lost, worker }: Options,
  { shard, records, counts, facts }: Held & { readonly counts: ShardCounts; readonly facts: string | undefined },
): Promise<void> {
  const { processed, failed, promptTokens: prompt_tokens, completionTokens: completion_tokens } = counts
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
  const written = { texts: texts(), facts: records.areOwn() ? facts : undefined }
  const segments = await writeSegments(await openDefaultStorage(), pathOf, written)
  const done = await whileHeld(async (queries, { shards }): Promise<true | undefined> => {
    const finished = await queries
      .updateTable("evaluation_shards")
      .set({ is_done: 1, worker: "", processed, failed, prompt_tokens, completion_tokens })
      .where((row) => row.and({ job_id: jobId, shard, worker }))
      .returning("shard")
      .executeTakeFirst()
    if (finished === undefined) return isDone(queries, jobId, shard)
    if (segments.length === 0) return true
    const first = shards.last_segment + 1
    const rows = segments.map(({ path, frames, facts: sizes }, at) => ({
      job_id: jobId,
      seq: first + at,
      shard,
      path,
      frames: JSON.stringify(frames),
      facts: sizes === undefined ? null : JSON.stringify(sizes),
    }))
    await queries.insertInto("evaluation_segments").values(rows).execute()
    await queries
      .updateTable("evaluation_sharded_jobs")
      .set({ last_segment: first + segments.length - 1 })
      .where("job_id", "=", jobId)
      .execute()
    await queries
      .deleteFrom("evaluation_shard_rows")
      .where((row) => row.and({ job_id: jobId, shard }))
      .execute()
    return true
  })
  if (done === undefined) throw lost()
}
