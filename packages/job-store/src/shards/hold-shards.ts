import { sql, type Selectable } from "kysely"
import { databaseTime, type Queries, type ShardedJobTable } from "@assay/database"
import type { JobsContext } from "../jobs-context.ts"
import { holdJob, type JobControl } from "../move-job.ts"

export type ShardsContext = Pick<JobsContext, "database" | "now">

/** A job and its shards, locked until the transaction ends. */
export interface HeldShards {
  readonly job: JobControl
  readonly shards: Selectable<ShardedJobTable>
  /** Time by the clock of the database. */
  readonly time: number
}

/**
 * Locks the shards of a job. The job is locked first, because its runner holds it, too: transactions that lock in different orders
 * would wait for each other. Returns undefined if there are none, or if `worker` is not one of its workers.
 */
export async function holdShards(
  queries: Queries,
  context: ShardsContext,
  { jobId, worker }: { readonly jobId: string; readonly worker?: string | undefined },
): Promise<HeldShards | undefined> {
  const { database } = context
  const job = await holdJob(queries, database, jobId)
  if (job === undefined) return undefined
  const found = await queries
    .selectFrom("evaluation_sharded_jobs")
    .selectAll()
    // Nobody waits for this lock, because the job is locked before it. So the time is that of the lock.
    .select(sql<number>`${databaseTime(context)}`.as("time"))
    .where("job_id", "=", jobId)
    .$if(worker !== undefined, (query) =>
      query.where((where) =>
        where.exists(
          where
            .selectFrom("evaluation_shard_workers as present")
            .select("present.worker")
            .where((row) => row.and({ "present.job_id": jobId, "present.worker": worker ?? "" }))
            .where("present.leased_until", ">", 0),
        ),
      ),
    )
    .modifyEnd(database.dialect.forChange)
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { time, ...shards } = found
  return { job, shards, time }
}

/** Removes workers that are silent for the time of a lease, so that others get their shares. */
export async function removeLostWorkers(queries: Queries, { shards, time }: HeldShards): Promise<void> {
  await queries
    .deleteFrom("evaluation_shard_workers")
    .where("job_id", "=", shards.job_id)
    .where("leased_until", ">", 0)
    .where("leased_until", "<=", time)
    .execute()
}
