import { NO_PATIENCE, type Outages } from "@assay/storage"
import { sql } from "kysely"
import type { Database, Queries } from "../../database/database.ts"
import { addRecordOfShard, recordsOfShard } from "../journal-records.ts"
import { holdJob } from "../move-job.ts"
import { openTableJournal, type TableJournal } from "../table-journal.ts"
import { finishShard, type HeldShard } from "./finish-shard.ts"
import type { ShardsContext } from "./hold-shards.ts"
import { rememberRecords } from "./remember-records.ts"
import { runningShards } from "./open-shards.ts"
import type { TakenShard, WorkspaceLimits } from "./sharded-jobs.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import { readShard } from "./sharded-journal.ts"

export type TakeShardContext = ShardsContext & ShardedJournalContext

interface Options extends Pick<HeldShard, "jobId" | "worker" | "lost"> {
  readonly limits: WorkspaceLimits
}

/** Takes the first free shard of a job, in the order of tasks and rows. Undefined if none is free, or its workspace has enough. */
export async function takeShard(context: TakeShardContext, options: Options): Promise<TakenShard | undefined> {
  const { jobId } = options
  const row = await claimShard(context.database, options)
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
    finish: (counts, own = {}) => finishShard(context, { ...options, shard, records }, { counts, ...own }),
  }
}

interface ClaimedShard {
  readonly shard: number
  readonly task: string
  readonly first_row: number
  readonly end_row: number
  /** 1 if a worker has added rows to the shard, else 0. */
  readonly has_rows: number
}

/** Gives a worker the first free shard while it has its lease. Written as text, because this and the end of a shard are most of its statements. */
async function claimShard(database: Database, { jobId, worker, limits }: Options): Promise<ClaimedShard | undefined> {
  return database.write(async (queries) => {
    // Each change to the workers and shards of a job locks the job first.
    const job = await holdJob(queries, database, jobId)
    if (job === undefined || !(await hasRoom(queries, job.namespace, limits))) return undefined
    const { rows } = await sql<ClaimedShard>`update evaluation_shards set worker = ${worker}
      where job_id = ${jobId}
      and shard = (select free.shard from evaluation_shards as free
        where free.job_id = ${jobId} and free.is_done = 0 and free.worker = ''
        order by free.shard limit 1)
      and exists (select 1 from evaluation_sharded_jobs as sharded
        where sharded.job_id = ${jobId} and sharded.is_open = 1)
      and exists (select 1 from evaluation_shard_workers as present
        where present.job_id = ${jobId} and present.worker = ${worker} and present.leased_until > 0)
      returning shard, task, first_row, end_row, ${HAS_ROWS} as has_rows`.execute(queries)
    return rows[0]
  })
}

const KEPT_ROWS = ["evaluation_shard_rows", "evaluation_segments"].map(
  (table) =>
    sql`exists (select 1 from ${sql.table(table)} as kept
      where kept.job_id = evaluation_shards.job_id and kept.shard = evaluation_shards.shard)`,
)
const HAS_ROWS = sql<number>`case when ${sql.join(KEPT_ROWS, sql` or `)} then 1 else 0 end`

async function hasRoom(queries: Queries, workspace: string, { maxShards }: WorkspaceLimits): Promise<boolean> {
  if (maxShards === undefined) return true
  const { rows } = await sql<{ readonly count: number }>`select ${runningShards(sql`${workspace}`)} as count`.execute(
    queries,
  )
  return (rows[0]?.count ?? 0) < maxShards
}

/** Opens a journal that begins with the segments of the shard. New rows are in the database until the shard is done. */
async function openShardJournal(
  context: TakeShardContext & { readonly outages: Outages },
  { jobId, worker }: Options,
  { shard, records, isNew }: Pick<HeldShard, "shard" | "records"> & { readonly isNew: boolean },
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
