import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the rates at which all workers together send requests to endpoints. Workers of the version before pace themselves. */
export async function endpointPaces({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("endpoint_paces")
    .addColumn("digest", types.text, (column) => column.notNull().primaryKey())
    .addColumn("pace", types.text, (column) => column.notNull())
    .addColumn("changed_at", types.integer, (column) => column.notNull())
    .execute()
}
