import { AssayError } from "@assay/schemas"
import type { Queries } from "@assay/database"
import { addEvents } from "../job-events.ts"
import { jobOf } from "../job-row.ts"
import { JOB_LEASE_MS } from "../job-lease.ts"
import { type HeldShards, holdShards, removeLostWorkers } from "./hold-shards.ts"
import { shareParallelism } from "./share-parallelism.ts"
import { NO_FINDINGS, type ShardNews, type ShardWorker } from "./sharded-jobs.ts"
import { takeShard, type TakeShardContext } from "./take-shard.ts"
import { noteExit } from "./worker-exits.ts"

type WorkerContext = TakeShardContext & {
  readonly newId: (prefix: string) => string
}

/** Joins the workers of an opening of a job. Undefined if it is over. */
export async function joinShards(
  context: WorkerContext,
  jobId: string,
  opening: number,
): Promise<ShardWorker | undefined> {
  const { database, newId } = context
  const worker = newId("worker")
  const joined = await database.write(async (queries) => {
    const held = await holdShards(queries, context, { jobId })
    if (held === undefined || !isOpen(held) || held.shards.opening !== opening) return undefined
    if (held.job.status !== "RUNNING") return undefined
    await removeLostWorkers(queries, held)
    const workers = await presentWorkers(queries, held)
    const { share } = shareParallelism(held.shards.parallelism, [...workers, { worker, share: 0 }], worker)
    const leased_until = held.time + JOB_LEASE_MS
    const news = JSON.stringify(NO_FINDINGS)
    await queries
      .insertInto("evaluation_shard_workers")
      .values({ job_id: jobId, worker, leased_until, share, news })
      .execute()
    const row = await queries
      .selectFrom("evaluation_jobs")
      .selectAll()
      .where("id", "=", jobId)
      .executeTakeFirstOrThrow()
    return { row, share, parallelism: held.shards.parallelism }
  })
  if (joined === undefined) return undefined
  const { row, ...shares } = joined
  return createShardWorker(context, {
    worker,
    ...shares,
    job: jobOf(row),
    attempt: { number: row.attempt, scope: JSON.parse(row.scope), grants: JSON.parse(row.grants) },
  })
}

function isOpen({ shards, job }: HeldShards): boolean {
  return shards.is_open === 1 && shards.attempt === job.attempt
}

async function presentWorkers(queries: Queries, { shards, time }: HeldShards) {
  return queries
    .selectFrom("evaluation_shard_workers")
    .select(["worker", "share"])
    .where("job_id", "=", shards.job_id)
    .where("leased_until", ">", time)
    .execute()
}

type Joined = Pick<ShardWorker, "job" | "attempt" | "share" | "parallelism"> & { readonly worker: string }

function createShardWorker(context: WorkerContext, { worker, ...joined }: Joined): ShardWorker {
  const { database } = context
  const jobId = joined.job.id
  const report = (queries: Queries, held: HeldShards, news: ShardNews) =>
    recordNews(queries, held, { worker, news, time: context.now() })
  const lost = () => new AssayError("runner_lost", `Another worker has the shards of job '${jobId}'; this one stops.`)

  /** Runs `work` while this worker has its lease. */
  const whileHeld = <T>(work: (queries: Queries, held: HeldShards) => Promise<T>, durable = true) =>
    database.write(
      async (queries) => {
        const held = await holdShards(queries, context, { jobId, worker })
        return held === undefined ? undefined : work(queries, held)
      },
      { durable },
    )

  return {
    ...joined,

    // A power cut may lose a beat. The next one reports its news again.
    beat: (report_) =>
      whileHeld(async (queries, held) => {
        const news = await report(queries, held, report_)
        const { share, fair } = shareParallelism(held.shards.parallelism, await presentWorkers(queries, held), worker)
        await queries
          .updateTable("evaluation_shard_workers")
          // The others get what this one gives up when its requests have ended.
          .set({ leased_until: held.time + JOB_LEASE_MS, share: Math.max(share, report_.inFlight), news })
          .where((row) => row.and({ job_id: jobId, worker }))
          .execute()
        return { status: held.job.status, isOpen: isOpen(held), share, isFair: share >= fair }
      }, false),

    take: (shard) => takeShard(context, { jobId, worker, shard, lost }),

    async leave(last) {
      await whileHeld(async (queries, held) => {
        const news = await report(queries, held, last)
        await queries
          .updateTable("evaluation_shard_workers")
          .set({ leased_until: 0, share: 0, news })
          .where((row) => row.and({ job_id: jobId, worker }))
          .execute()
        await noteExit(queries, jobId)
      })
    },
  }
}

interface WorkerNews {
  readonly worker: string
  readonly news: ShardNews
  readonly time: number
}

/** Records the news of a worker, except its findings. Returns those as the text of its record. */
async function recordNews(
  queries: Queries,
  { shards, job }: HeldShards,
  { worker, news: { counts, findings, events, stop }, time }: WorkerNews,
): Promise<string> {
  const { job_id: jobId } = shards
  // The job makes progress, whichever runner it has, so it is not the reason why runners were lost.
  if (job.takeovers > 0 && (await haveAdvanced(queries, { jobId, worker }, counts))) {
    await queries.updateTable("evaluation_jobs").set({ takeovers: 0 }).where("id", "=", jobId).execute()
  }
  for (const [shard, { processed, failed, promptTokens, completionTokens }] of counts) {
    await queries
      .updateTable("evaluation_shards")
      .set({ processed, failed, prompt_tokens: promptTokens, completion_tokens: completionTokens })
      .where((row) => row.and({ job_id: jobId, shard, worker }))
      .execute()
  }
  if (stop !== undefined && shards.stop === null) {
    // Workers can no longer join, and the others stop with their next beats.
    await queries
      .updateTable("evaluation_sharded_jobs")
      .set({ stop: JSON.stringify(stop), is_open: 0 })
      .where("job_id", "=", jobId)
      .execute()
  }
  await addEvents(queries, jobId, events, time)
  return JSON.stringify(findings)
}

/** Returns whether the shards of a worker have new rows. */
async function haveAdvanced(
  queries: Queries,
  { jobId, worker }: { readonly jobId: string; readonly worker: string },
  counts: ShardNews["counts"],
): Promise<boolean> {
  const before = await queries
    .selectFrom("evaluation_shards")
    .select(["shard", "processed"])
    .where((row) => row.and({ job_id: jobId, worker }))
    .execute()
  return before.some(({ shard, processed }) => (counts.get(shard)?.processed ?? 0) > processed)
}
