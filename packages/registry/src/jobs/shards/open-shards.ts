import { type RawBuilder, sql } from "kysely"
import { databaseTime } from "../../database/clock.ts"
import type { ShardsContext } from "./hold-shards.ts"
import type { WorkspaceLimits } from "./sharded-jobs.ts"

/**
 * Lists running jobs with free shards, in the order in which a worker serves them: workspaces with fewer workers come
 * first, and in a workspace the job with the highest priority, then the one with fewer workers, then the oldest one.
 */
export async function listOpenShards(
  context: ShardsContext,
  limit: number,
  { maxShards }: WorkspaceLimits = {},
): Promise<string[]> {
  const { database } = context
  const rows = await database.read((queries) => {
    const workers = queries
      .selectFrom("evaluation_shard_workers as worker")
      .innerJoin("evaluation_jobs as job", "job.id", "worker.job_id")
      .select(["job.namespace", "worker.job_id"])
      .where("worker.leased_until", ">", databaseTime(context))
    return queries
      .with("present", () => workers)
      .selectFrom("evaluation_jobs as job")
      .innerJoin("evaluation_sharded_jobs as sharded", "sharded.job_id", "job.id")
      .select("job.id")
      .where("job.status", "=", "RUNNING")
      .where("sharded.is_open", "=", 1)
      .where(
        sql<boolean>`(select count(*) from present where present.job_id = job.id) < ${sql.ref("sharded.max_workers")}`,
      )
      .where((where) =>
        where.exists(
          where
            .selectFrom("evaluation_shards as shard")
            .select("shard.shard")
            .whereRef("shard.job_id", "=", "job.id")
            .where("shard.is_done", "=", 0)
            .where("shard.worker", "=", ""),
        ),
      )
      .$if(maxShards !== undefined, (query) =>
        query.where(runningShards(sql.ref("job.namespace")), "<", maxShards ?? 0),
      )
      .orderBy(sql`(select count(*) from present where present.namespace = job.namespace)`)
      .orderBy("job.priority", "desc")
      .orderBy(sql`(select count(*) from present where present.job_id = job.id)`)
      .orderBy("job.created_at")
      .limit(limit)
      .execute()
  })
  return rows.map(({ id }) => id)
}

/** Returns the number of shards that workers have of all jobs of a workspace, as an expression. */
export function runningShards(workspace: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select count(*) from evaluation_shards as running inner join evaluation_jobs as owner on owner.id = running.job_id where owner.namespace = ${workspace} and owner.status = 'RUNNING' and running.is_done = 0 and running.worker != '')`
}
