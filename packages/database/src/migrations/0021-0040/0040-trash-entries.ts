import type { ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds removed filesets that can be restored. Servers of the version before delete at once. */
export async function trashEntries({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("trash_entries")
    .addColumn("id", types.text, (column) => column.notNull().primaryKey())
    .addColumn("kind", types.text, required)
    .addColumn("workspace", types.text, (column) => column.notNull().references("workspaces.name").onDelete("cascade"))
    .addColumn("name", types.text, required)
    .addColumn("removed_at", types.integer, required)
    .addColumn("removed_by", types.text, required)
    .addColumn("removed_until", types.integer, required)
    .addColumn("bytes", types.integer)
    .addColumn("record", types.text, required)
    .execute()
  const index = (name: string) => schema.createIndex(`trash_entries_${name}`).on("trash_entries")
  await index("of_workspace").columns(["workspace", "removed_at", "id"]).execute()
  await index("by_end").columns(["removed_until"]).execute()
}
