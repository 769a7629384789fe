import { sql } from "kysely"
import type { Database } from "@assay/database"

/** A shard of a job that workers of servers run. */
export interface ListedShard {
  readonly shard: number
  readonly task: string
  readonly firstRow: number
  /** The row after the last one. */
  readonly endRow: number
  readonly isDone: boolean
  /** The worker that has it. Undefined: none has. */
  readonly worker: string | undefined
  readonly processed: number
  readonly failed: number
}

export interface ShardListing {
  readonly shards: readonly ListedShard[]
  /** Numbers of all shards of the job. */
  readonly counts: { readonly total: number; readonly done: number; readonly running: number }
}

export interface ShardPageQuery {
  readonly offset: number
  readonly limit: number
}

/** Lists the shards of a job in their order. Empty if workers of servers do not run it in shards. */
export async function listShards(
  database: Database,
  jobId: string,
  { offset, limit }: ShardPageQuery,
): Promise<ShardListing> {
  return database.read(async (queries) => {
    const isHeld = sql<number>`case when is_done = 0 and exists (select 1 from evaluation_shard_workers as present
      where present.job_id = evaluation_shards.job_id and present.worker = evaluation_shards.worker
      and present.leased_until > 0) then 1 else 0 end`
    const counts = await queries
      .selectFrom("evaluation_shards")
      .select((row) => [
        row.fn.countAll<number>().as("total"),
        sql<number>`cast(coalesce(sum(is_done), 0) as integer)`.as("done"),
        sql<number>`cast(coalesce(sum(${isHeld}), 0) as integer)`.as("running"),
      ])
      .where("job_id", "=", jobId)
      .executeTakeFirstOrThrow()
    const rows = await queries
      .selectFrom("evaluation_shards")
      .select(["shard", "task", "first_row", "end_row", "is_done", "worker", "processed", "failed"])
      .select(isHeld.as("is_held"))
      .where("job_id", "=", jobId)
      .orderBy("shard")
      .offset(offset)
      .limit(limit)
      .execute()
    const shards = rows.map(({ first_row, end_row, is_done, is_held, worker, ...row }) => ({
      ...row,
      firstRow: first_row,
      endRow: end_row,
      isDone: is_done !== 0,
      worker: is_held === 1 || (is_done !== 0 && worker !== "") ? worker : undefined,
    }))
    return { shards, counts }
  })
}
