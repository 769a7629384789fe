import { sql, type SqlBool } from "kysely"
import { slot, type Database } from "@assay/database"
import type { Scope } from "./page-plan.ts"

/** The kept counts of a workspace or of all workspaces. */
export interface KeptCounts {
  /** How many changes its filesets have had. */
  readonly changes: number
  readonly total: number
}

/** Numbers of filesets. */
export interface ScopeSize {
  readonly inScope: number
  readonly inDatabase: number
}

export interface ListCounters {
  /** Undefined: the counts of all workspaces. */
  counts(workspace: string | undefined): Promise<KeptCounts>
  /** A scope with some workspaces counts as the whole database. */
  size(scope: Scope): Promise<ScopeSize>
}

/** The workspace of the rows in `fileset_counts` that count for all workspaces. */
const ALL = ""

export function createListCounters(database: Database): ListCounters {
  const query = database.prepare<KeptCounts>((queries) =>
    queries
      .selectFrom("fileset_counts")
      .select([sql<number>`coalesce(sum(changes), 0)`.as("changes"), sql<number>`coalesce(sum(total), 0)`.as("total")])
      .where(sql<SqlBool>`workspace = ${slot("workspace")}`),
  )
  async function counts(workspace = ALL): Promise<KeptCounts> {
    const [row] = await query.run({ workspace })
    return row ?? { changes: 0, total: 0 }
  }
  return {
    counts,
    async size(scope) {
      const { total } = await counts()
      return { inDatabase: total, inScope: scope.kind === "one" ? (await counts(scope.workspace)).total : total }
    },
  }
}
