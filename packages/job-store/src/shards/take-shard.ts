import { NO_PATIENCE, type Outages } from "@assay/storage"
import { type RawBuilder, sql } from "kysely"
import type { Database, Queries } from "@assay/database"
import { addRecordOfShard, recordsOfShard } from "../journal/journal-records.ts"
import { holdJob } from "../move-job.ts"
import { openTableJournal, type TableJournal } from "../journal/table-journal.ts"
import { finishShard, type HeldShard } from "./finish-shard.ts"
import type { ShardsContext } from "./hold-shards.ts"
import { rememberRecords } from "./remember-records.ts"
import type { TakenShard } from "./sharded-jobs.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import { readShard } from "./sharded-journal.ts"

export type TakeShardContext = ShardsContext & ShardedJournalContext

type Options = Pick<HeldShard, "jobId" | "worker" | "shard" | "lost">

/** Takes a shard of a job, also from another worker. Undefined if it is done, or the shards are closed. @throws `runner_lost` */
export async function takeShard(context: TakeShardContext, options: Options): Promise<TakenShard | undefined> {
  const { jobId, shard } = options
  const row = await claimShard(context.database, options)
  if (row === undefined) return undefined
  const { task, first_row: firstRow, end_row: endRow, has_rows } = row
  const isNew = has_rows === 0
  const records = rememberRecords(recordsOfShard(jobId, shard), isNew)
  return {
    shard,
    task,
    firstRow,
    endRow,
    openJournal: (outages = NO_PATIENCE) =>
      openShardJournal({ ...context, outages }, options, { shard, records, isNew }),
    finish: (counts, own = {}) => finishShard(context, { ...options, records }, { counts, ...own }),
  }
}

interface ClaimedShard {
  readonly task: string
  readonly first_row: number
  readonly end_row: number
  /** 1 if a worker has added rows to the shard, else 0. */
  readonly has_rows: number
}

/** Gives a worker a shard while it has its lease. Written as text, because this and the end of a shard are most of its statements. */
async function claimShard(
  database: Database,
  { jobId, worker, shard, lost }: Options,
): Promise<ClaimedShard | undefined> {
  return database.write(async (queries) => {
    // Each change to the workers and shards of a job locks the job first.
    if ((await holdJob(queries, database, jobId)) === undefined) return undefined
    const { rows } = await sql<ClaimedShard>`update evaluation_shards set worker = ${worker}
      where job_id = ${jobId} and shard = ${shard} and is_done = 0
      and exists (select 1 from evaluation_sharded_jobs as sharded
        where sharded.job_id = ${jobId} and sharded.is_open = 1)
      and ${isPresent(jobId, worker)}
      returning task, first_row, end_row, ${HAS_ROWS} as has_rows`.execute(queries)
    if (rows.length > 0) return rows[0]
    const present = await sql`select 1 where ${isPresent(jobId, worker)}`.execute(queries)
    if (present.rows.length === 0) throw lost()
    return undefined
  })
}

/** A condition: the worker has its lease. */
function isPresent(jobId: string, worker: string): RawBuilder<boolean> {
  return sql`exists (select 1 from evaluation_shard_workers as present
    where present.job_id = ${jobId} and present.worker = ${worker} and present.leased_until > 0)`
}

const KEPT_ROWS = ["evaluation_shard_rows", "evaluation_segments"].map(
  (table) =>
    sql`exists (select 1 from ${sql.table(table)} as kept
      where kept.job_id = evaluation_shards.job_id and kept.shard = evaluation_shards.shard)`,
)
const HAS_ROWS = sql<number>`case when ${sql.join(KEPT_ROWS, sql` or `)} then 1 else 0 end`

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
