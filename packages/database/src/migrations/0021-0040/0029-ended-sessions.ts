import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the sessions of browsers that were signed out before their time. */
export async function endedSessions({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  await schema
    .createTable("ended_sessions")
    .addColumn("id", types.text, (column) => column.notNull())
    .addColumn("until", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("ended_sessions_key", ["id"])
    .modifyEnd(clustered)
    .execute()
}
