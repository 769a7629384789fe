import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds named documents of several kinds. */
export async function documents({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("documents")
    .addColumn("kind", types.text, (column) => column.notNull())
    .addColumn("workspace", types.text, (column) => column.notNull().references("workspaces.name").onDelete("cascade"))
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("id", types.text, (column) => column.notNull().unique())
    .addColumn("description", types.text, (column) => column.notNull())
    .addColumn("project", types.text, (column) => column.notNull())
    .addColumn("data", types.text, (column) => column.notNull())
    .addColumn("created_at", types.integer, (column) => column.notNull())
    .addColumn("updated_at", types.integer, (column) => column.notNull())
    // The workspace first: its documents are counted before it is removed.
    .addPrimaryKeyConstraint("documents_key", ["workspace", "kind", "name"])
    .execute()
}
