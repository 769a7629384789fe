import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the ids that default storages share with their database. A storage of an older version gets one at the next start. */
export async function storageIds({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  await schema
    .createTable("storage_ids")
    .addColumn("storage_type", types.text, (column) => column.notNull())
    .addColumn("id", types.text, (column) => column.notNull())
    .addColumn("is_marked", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("storage_ids_key", ["storage_type"])
    .modifyEnd(clustered)
    .execute()
}
