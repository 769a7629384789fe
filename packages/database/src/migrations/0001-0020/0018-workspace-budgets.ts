import { sql, type ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const ofWorkspace = (column: ColumnDefinitionBuilder) =>
  column.notNull().references("workspaces.name").onDelete("cascade")

/** Adds budgets of workspaces, and what their jobs have used in each month. Servers of the version before record no usage. */
export async function workspaceBudgets({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  const real = sql`double precision`
  await schema
    .createTable("workspace_budgets")
    .addColumn("workspace", types.text, (column) => ofWorkspace(column).primaryKey())
    .addColumn("max_requests", types.integer)
    .addColumn("max_tokens", types.integer)
    .addColumn("max_cost", real)
    .execute()
  await schema
    .createTable("workspace_usage")
    .addColumn("workspace", types.text, ofWorkspace)
    .addColumn("month", types.text, required)
    .addColumn("requests", types.integer, required)
    .addColumn("prompt_tokens", types.integer, required)
    .addColumn("completion_tokens", types.integer, required)
    .addColumn("unpriced_tokens", types.integer, required)
    .addColumn("cost", real, required)
    .addColumn("currency", types.text, required)
    .addPrimaryKeyConstraint("workspace_usage_key", ["workspace", "month"])
    .execute()
}
