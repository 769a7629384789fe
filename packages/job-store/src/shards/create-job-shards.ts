import type { AssayError } from "@assay/schemas"
import { sql } from "kysely"
import { readDatabaseTime, type Queries } from "@assay/database"
import { type HeldShards, removeLostWorkers, type ShardsContext } from "./hold-shards.ts"
import type { ShardedJournalContext } from "./read-contents.ts"
import { isSharded } from "./sharded-journal.ts"
import { listenToExits } from "./worker-exits.ts"
import type { JobShards, OpenedShards, ShardFindings, ShardRange, ShardsState } from "./sharded-jobs.ts"
import type { JobControl } from "../move-job.ts"

interface Options {
  readonly context: ShardsContext & ShardedJournalContext
  readonly jobId: string
  /** The number of the attempt. */
  readonly attempt: number
  /** Does nothing and returns undefined if the lease of the job is lost. */
  readonly whileHeld: <T>(work: (queries: Queries, job: JobControl) => Promise<T>) => Promise<T | undefined>
  readonly lost: () => AssayError
}

/** Shards in one statement. Databases limit the number of parameters. */
const STATEMENT_SHARDS = 1000

/** While the shards are closed. Attempts are counted from 1. */
const NO_ATTEMPT = 0

export function createJobShards({ context, jobId, attempt, whileHeld, lost }: Options): JobShards {
  async function held<T>(work: (queries: Queries, held: HeldShards) => Promise<T>): Promise<T> {
    const done = await whileHeld(async (queries, job) => {
      const shards = await queries
        .selectFrom("evaluation_sharded_jobs")
        .selectAll()
        .where("job_id", "=", jobId)
        .executeTakeFirstOrThrow()
      return { value: await work(queries, { job, shards, time: await readDatabaseTime(queries, context) }) }
    })
    if (done === undefined) throw lost()
    return done.value
  }

  return {
    isCut: () => isSharded(context, jobId),

    onWorkerExit: (onExit) => listenToExits(context.database, jobId, onExit),

    async cut(ranges, limits) {
      const done = await whileHeld(async (queries) => {
        await cutShards(queries, jobId, ranges, limits)
        return true
      })
      if (done === undefined) throw lost()
    },

    open: () =>
      held(async (queries, found) => {
        const opening = await openShards(queries, found, attempt)
        return readOpened(queries, found, opening)
      }),

    look: () =>
      held(async (queries, found) => {
        await removeLostWorkers(queries, found)
        return readState(queries, found)
      }),

    close: () =>
      held(async (queries, found) => {
        await queries
          .updateTable("evaluation_sharded_jobs")
          .set({ is_open: 0, attempt: NO_ATTEMPT })
          .where("job_id", "=", jobId)
          .execute()
        return readOpened(queries, found, found.shards.opening)
      }),

    forgetWorkers: () =>
      held(async (queries) => {
        await queries.deleteFrom("evaluation_shard_workers").where("job_id", "=", jobId).execute()
      }),
  }
}

/** Cuts a job into shards, unless it is cut already. */
async function cutShards(
  queries: Queries,
  job_id: string,
  ranges: Iterable<ShardRange>,
  { parallelism, maxWorkers: max_workers }: Parameters<JobShards["cut"]>[1],
): Promise<void> {
  const inserted = await queries
    .insertInto("evaluation_sharded_jobs")
    .values({
      job_id,
      attempt: NO_ATTEMPT,
      is_open: 0,
      parallelism,
      max_workers,
      last_segment: 0,
      opening: 0,
      stop: null,
    })
    .onConflict((row) => row.column("job_id").doNothing())
    .returning("job_id")
    .executeTakeFirst()
  if (inserted !== undefined) await insertShards(queries, job_id, ranges)
}

/** Opens the shards to workers of an attempt. Returns the number of the opening. */
async function openShards(queries: Queries, { shards }: HeldShards, attempt: number): Promise<number> {
  const { job_id: jobId } = shards
  // The runner before this one opened them, and workers may have shards.
  if (shards.attempt === attempt) return shards.opening
  const opening = shards.opening + 1
  await queries.deleteFrom("evaluation_shard_workers").where("job_id", "=", jobId).execute()
  const scope = await scopeOf(queries, jobId)
  await queries
    .updateTable("evaluation_shards")
    // Workers count the failed rows that they do not ask again.
    .set({ worker: "", is_done: 0, ...(scope === "score" ? {} : { failed: 0 }) })
    .where("job_id", "=", jobId)
    // Rows that failed because of the job itself, such as a refused key, are asked again in every attempt.
    .$if(scope !== "score", (query) =>
      query.where((shard) => shard.or([shard("is_done", "=", 0), shard("failed", ">", 0)])),
    )
    .execute()
  await queries
    .updateTable("evaluation_sharded_jobs")
    .set({ attempt, opening, is_open: 1, stop: null })
    .where("job_id", "=", jobId)
    .execute()
  return opening
}

async function readOpened(queries: Queries, { job, shards }: HeldShards, opening: number): Promise<OpenedShards> {
  const undone = await queries
    .selectFrom("evaluation_shards")
    .select("shard")
    .where((row) => row.and({ job_id: shards.job_id, is_done: 0 }))
    .orderBy("shard")
    .execute()
  const { peers } = await queries
    .selectFrom("evaluation_sharded_jobs as sharded")
    .innerJoin("evaluation_jobs as job", "job.id", "sharded.job_id")
    .select((row) => row.fn.countAll<number>().as("peers"))
    .where((row) => row.and({ "sharded.is_open": 1, "job.namespace": job.namespace }))
    .where("job.priority", ">=", (row) =>
      row.selectFrom("evaluation_jobs as own").select("own.priority").where("own.id", "=", shards.job_id),
    )
    .executeTakeFirstOrThrow()
  return { opening, shards: undone.map(({ shard }) => shard), peers }
}

async function insertShards(queries: Queries, jobId: string, ranges: Iterable<ShardRange>): Promise<void> {
  let rows: ReturnType<typeof shardRow>[] = []
  let shard = 0
  const insert = async () => {
    if (rows.length > 0) await queries.insertInto("evaluation_shards").values(rows).execute()
    rows = []
  }
  for (const range of ranges) {
    rows.push(shardRow(jobId, shard++, range))
    if (rows.length === STATEMENT_SHARDS) await insert()
  }
  await insert()
}

function shardRow(job_id: string, shard: number, { task, firstRow, endRow }: ShardRange) {
  const counts = { processed: 0, failed: 0, prompt_tokens: 0, completion_tokens: 0 }
  return { job_id, shard, task, first_row: firstRow, end_row: endRow, is_done: 0, worker: "", losses: 0, ...counts }
}

async function scopeOf(queries: Queries, jobId: string): Promise<string> {
  const { scope } = await queries
    .selectFrom("evaluation_jobs")
    .select("scope")
    .where("id", "=", jobId)
    .executeTakeFirstOrThrow()
  return JSON.parse(scope).kind
}

async function readState(queries: Queries, { job, shards, time }: HeldShards): Promise<ShardsState> {
  const sum = (name: string) => sql<number>`cast(sum(${sql.ref(name)}) as bigint)`
  const tasks = await queries
    .selectFrom("evaluation_shards")
    .select("task")
    .select([
      sum("processed").as("processed"),
      sum("failed").as("failed"),
      sum("prompt_tokens").as("promptTokens"),
      sum("completion_tokens").as("completionTokens"),
      sql<number>`min(is_done)`.as("done"),
    ])
    .where("job_id", "=", shards.job_id)
    .groupBy("task")
    .orderBy(sql`min(shard)`)
    .execute()
  const workers = await queries
    .selectFrom("evaluation_shard_workers")
    .select(["leased_until", "news"])
    .where("job_id", "=", shards.job_id)
    .execute()
  return {
    tasks: tasks.map(({ task, processed, failed, promptTokens, completionTokens, done }) => ({
      task,
      processed,
      failed,
      promptTokens,
      completionTokens,
      isDone: done === 1,
      hasBegun: done === 1 || processed > 0,
    })),
    findings: workers.map(({ news }): ShardFindings => JSON.parse(news)),
    status: job.status,
    workers: workers.filter(({ leased_until }) => leased_until > time).length,
    stop: shards.stop === null ? undefined : JSON.parse(shards.stop),
  }
}
