import type { Queries } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/** Adds the tables of jobs that many workers run: their shards, the workers that have them, and their journals. */
export async function jobShards({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  const integer = (table: ReturnType<typeof ofJob>, name: string) =>
    table.addColumn(name, types.integer, (column) => column.notNull())
  const ofJob = (table: string) =>
    schema
      .createTable(table)
      .addColumn("job_id", types.text, (column) =>
        column.notNull().references("evaluation_jobs.id").onDelete("cascade"),
      )
  await ["attempt", "is_open", "parallelism", "max_workers", "last_segment"]
    .reduce(integer, ofJob("evaluation_sharded_jobs"))
    .addColumn("stop", types.text)
    .addPrimaryKeyConstraint("evaluation_sharded_jobs_key", ["job_id"])
    .execute()
  await ["shard", "first_row", "end_row", "is_done", "losses", "processed", "failed"]
    .concat("prompt_tokens", "completion_tokens")
    .reduce(integer, ofJob("evaluation_shards"))
    .addColumn("task", types.text, (column) => column.notNull())
    .addColumn("worker", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("evaluation_shards_key", ["job_id", "shard"])
    .modifyEnd(clustered)
    .execute()
  await schema
    .createIndex("evaluation_shards_due")
    .on("evaluation_shards")
    .columns(["job_id", "is_done", "worker", "shard"])
    .execute()
  await ["leased_until", "share"]
    .reduce(integer, ofJob("evaluation_shard_workers"))
    .addColumn("worker", types.text, (column) => column.notNull())
    .addColumn("news", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("evaluation_shard_workers_key", ["job_id", "worker"])
    .execute()
  await ["shard", "seq"]
    .reduce(integer, ofJob("evaluation_shard_rows"))
    .addColumn("lines", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("evaluation_shard_rows_key", ["job_id", "shard", "seq"])
    .modifyEnd(clustered)
    .execute()
  await ["seq", "shard"]
    .reduce(integer, ofJob("evaluation_segments"))
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("frames", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("evaluation_segments_key", ["job_id", "seq"])
    .execute()
  await schema
    .createIndex("evaluation_segments_of_shard")
    .on("evaluation_segments")
    .columns(["job_id", "shard", "seq"])
    .execute()
}
