import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the priority of jobs. Jobs that servers of the version before launch have the usual one. */
export async function jobPriority({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("evaluation_jobs")
    .addColumn("priority", types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
}
