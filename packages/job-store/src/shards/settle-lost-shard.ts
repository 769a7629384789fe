import { recordsOfShard } from "../journal/journal-records.ts"
import { holdShards, type ShardsContext } from "./hold-shards.ts"
import type { LostShard, ShardAgain, ShardStop } from "./sharded-jobs.ts"

/**
 * Settles a shard that was lost by one worker after another. Returns what to deliver again if they have added rows to it: many faults in a short time
 * are not the fault of its rows. Otherwise it stops the job, and returns undefined, as it does if the shard is done or its opening is over.
 */
export async function settleLostShard(
  context: ShardsContext,
  jobId: string,
  { opening, shard, records: seen = 0 }: LostShard,
): Promise<ShardAgain | undefined> {
  return context.database.write(async (queries) => {
    const held = await holdShards(queries, context, { jobId })
    if (held === undefined || held.shards.opening !== opening || held.shards.is_open === 0) return undefined
    const lost = await queries
      .selectFrom("evaluation_shards")
      .select(["task", "first_row", "end_row"])
      .where((row) => row.and({ job_id: jobId, shard, is_done: 0 }))
      .executeTakeFirst()
    if (lost === undefined) return undefined
    const records = await recordsOfShard(jobId, shard).newest(queries)
    if (records > seen) return { workspace: held.job.namespace, records }
    const { task, first_row: first, end_row: end } = lost
    const message = `One worker after another stopped while it ran rows ${first} to ${end - 1} of task "${task}".`
    const stop: ShardStop = { code: "runner_lost", message }
    await queries
      .updateTable("evaluation_sharded_jobs")
      .set({ stop: JSON.stringify(stop), is_open: 0 })
      .where("job_id", "=", jobId)
      .execute()
    return undefined
  })
}
