import { holdShards, type ShardsContext } from "./hold-shards.ts"
import type { ShardStop } from "./sharded-jobs.ts"

/** Stops a job whose shard was lost by one worker after another. Does nothing if the shard is done, or its opening is over. */
export async function giveUpShard(
  context: ShardsContext,
  jobId: string,
  { opening, shard }: { readonly opening: number; readonly shard: number },
): Promise<void> {
  await context.database.write(async (queries) => {
    const held = await holdShards(queries, context, { jobId })
    if (held === undefined || held.shards.opening !== opening || held.shards.is_open === 0) return
    const lost = await queries
      .selectFrom("evaluation_shards")
      .select(["task", "first_row", "end_row"])
      .where((row) => row.and({ job_id: jobId, shard, is_done: 0 }))
      .executeTakeFirst()
    if (lost === undefined) return
    const { task, first_row: first, end_row: end } = lost
    const message = `One worker after another stopped while it ran rows ${first} to ${end - 1} of task "${task}".`
    const stop: ShardStop = { code: "runner_lost", message }
    await queries
      .updateTable("evaluation_sharded_jobs")
      .set({ stop: JSON.stringify(stop), is_open: 0 })
      .where("job_id", "=", jobId)
      .execute()
  })
}
