import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds removed filesets whose files still have to be deleted. */
export async function removedFilesets({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("removed_filesets")
    .addColumn("id", types.text, (column) => column.notNull())
    .addColumn("workspace", types.text, (column) => column.notNull())
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("storage_type", types.text, (column) => column.notNull())
    .addColumn("storage", types.json, (column) => column.notNull())
    .addColumn("leased_until", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("removed_filesets_key", ["id"])
    .execute()
  await schema.createIndex("removed_filesets_by_name").on("removed_filesets").columns(["workspace", "name"]).execute()
}
