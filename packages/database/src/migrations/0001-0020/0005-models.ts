import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds models with the results of their analyses. */
export async function models({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("models")
    .addColumn("name", types.text, (column) => column.notNull())
    .addColumn("description", types.text, (column) => column.notNull())
    .addColumn("created_at", types.integer, (column) => column.notNull())
    .addColumn("updated_at", types.integer, (column) => column.notNull())
    .addColumn("workspace", types.text, (column) => column.notNull().references("workspaces.name").onDelete("cascade"))
    .addColumn("id", types.text, (column) => column.notNull().unique())
    .addColumn("project", types.text, (column) => column.notNull())
    .addColumn("fileset", types.text, (column) => column.notNull())
    .addColumn("spec", types.text)
    .addColumn("analysis", types.text)
    .addColumn("leased_until", types.integer, (column) => column.notNull())
    .addColumn("custom_fields", types.json, (column) => column.notNull())
    .addPrimaryKeyConstraint("models_key", ["workspace", "name"])
    .execute()
  await schema.createIndex("models_by_age").on("models").columns(["workspace", "created_at", "id"]).execute()
}
