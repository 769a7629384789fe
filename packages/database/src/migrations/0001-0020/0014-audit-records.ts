import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the records of writes over HTTP. They are read and removed in the order of `seq` alone. */
export async function auditRecords({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("audit_records")
    .addColumn("seq", types.key)
    .addColumn("created_at", types.integer, (column) => column.notNull())
    .addColumn("token", types.text)
    .addColumn("token_name", types.text, (column) => column.notNull())
    .addColumn("method", types.text, (column) => column.notNull())
    .addColumn("action", types.text, (column) => column.notNull())
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("workspace", types.text)
    .addColumn("name", types.text)
    .addColumn("status", types.text, (column) => column.notNull())
    .addColumn("request", types.text, (column) => column.notNull())
    .execute()
}
