import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Counts how often the shards of a job were opened to workers. Messages of the queue belong to one opening. */
export async function shardOpenings({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("evaluation_sharded_jobs")
    .addColumn("opening", types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
