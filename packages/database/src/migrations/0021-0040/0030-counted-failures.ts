import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds how many failed writes a record of the audit counts, and the time of the last one. It is null for a single write. */
export async function countedFailures({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("audit_records")
    .addColumn("count", types.integer, (column) => column.notNull().defaultTo(1))
    .execute()
  await schema.alterTable("audit_records").addColumn("last_at", types.integer).execute()
}
