import { sql, type ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds what removed workspaces have used in a month. Servers of the version before keep nothing of a workspace that they remove. */
export async function usageOfRemovedWorkspaces({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("removed_workspace_usage")
    .addColumn("workspace", types.text, required)
    .addColumn("month", types.text, required)
    .addColumn("requests", types.integer, required)
    .addColumn("prompt_tokens", types.integer, required)
    .addColumn("completion_tokens", types.integer, required)
    .addColumn("unpriced_tokens", types.integer, required)
    .addColumn("cost", sql`double precision`, required)
    .addColumn("currency", types.text, required)
    .addPrimaryKeyConstraint("removed_workspace_usage_key", ["workspace", "month"])
    .execute()
}
