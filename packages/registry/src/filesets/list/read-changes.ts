import { sql, type SqlBool } from "kysely"
import type { Database } from "../../database/database.ts"
import { slot } from "../../database/prepared-query.ts"

/** How many changes the filesets of a workspace have had, or those of all workspaces. */
export type ReadChanges = (workspace: string | undefined) => Promise<number>

/** What `fileset_counts` calls the row that counts for all workspaces. */
const ALL = ""

export function createReadChanges(database: Database): ReadChanges {
  const query = database.prepare<{ changes: number }>((queries) =>
    queries
      .selectFrom("fileset_counts")
      .select(sql<number>`coalesce(sum(changes), 0)`.as("changes"))
      .where(sql<SqlBool>`workspace = ${slot("workspace")}`),
  )
  return async (workspace = ALL) => {
    const [row] = await query.run({ workspace })
    return row?.changes ?? 0
  }
}
