import type { ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds the tables of jobs that many workers run: their shards, the workers that have them, and their journals. */
export async function jobShards({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  const ofJob = (table: string) =>
    schema
      .createTable(table)
      .addColumn("job_id", types.text, (column) =>
        required(column).references("evaluation_jobs.id").onDelete("cascade"),
      )
  await ofJob("evaluation_sharded_jobs")
    .addColumn("attempt", types.integer, required)
    .addColumn("is_open", types.integer, required)
    .addColumn("parallelism", types.integer, required)
    .addColumn("max_workers", types.integer, required)
    .addColumn("last_segment", types.integer, required)
    .addColumn("stop", types.text)
    .addPrimaryKeyConstraint("evaluation_sharded_jobs_key", ["job_id"])
    .execute()
  await ofJob("evaluation_shards")
    .addColumn("shard", types.integer, required)
    .addColumn("task", types.text, required)
    .addColumn("first_row", types.integer, required)
    .addColumn("end_row", types.integer, required)
    .addColumn("is_done", types.integer, required)
    .addColumn("worker", types.text, required)
    .addColumn("losses", types.integer, required)
    .addColumn("processed", types.integer, required)
    .addColumn("failed", types.integer, required)
    .addColumn("prompt_tokens", types.integer, required)
    .addColumn("completion_tokens", types.integer, required)
    .addPrimaryKeyConstraint("evaluation_shards_key", ["job_id", "shard"])
    .modifyEnd(clustered)
    .execute()
  await schema
    .createIndex("evaluation_shards_due")
    .on("evaluation_shards")
    .columns(["job_id", "is_done", "worker", "shard"])
    .execute()
  await ofJob("evaluation_shard_workers")
    .addColumn("worker", types.text, required)
    .addColumn("leased_until", types.integer, required)
    .addColumn("share", types.integer, required)
    .addColumn("news", types.text, required)
    .addPrimaryKeyConstraint("evaluation_shard_workers_key", ["job_id", "worker"])
    .execute()
  await ofJob("evaluation_shard_rows")
    .addColumn("shard", types.integer, required)
    .addColumn("seq", types.integer, required)
    .addColumn("lines", types.text, required)
    .addPrimaryKeyConstraint("evaluation_shard_rows_key", ["job_id", "shard", "seq"])
    .modifyEnd(clustered)
    .execute()
  await ofJob("evaluation_segments")
    .addColumn("seq", types.integer, required)
    .addColumn("shard", types.integer, required)
    .addColumn("path", types.text, required)
    .addColumn("frames", types.text, required)
    .addPrimaryKeyConstraint("evaluation_segments_key", ["job_id", "seq"])
    .execute()
  await schema
    .createIndex("evaluation_segments_of_shard")
    .on("evaluation_segments")
    .columns(["job_id", "shard", "seq"])
    .execute()
}
