import { sql, type RawBuilder, type SqlBool } from "kysely"
import type { Queries, Select } from "../../database/database.ts"
import type { SqlDialect } from "../../database/sql-dialect.ts"
import { allOf } from "../../filter/conditions.ts"
import { matchingFilesets } from "./matching.ts"
import { isFacet, isInScope, type PageShape } from "./page-shape.ts"

export interface ListCounts {
  /** How many changes the filesets in the scope have had. */
  readonly changes: number
  /** Null where it is known already. */
  readonly total: number | null
}

/** What is counted for a listing. */
export function countsQuery(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<ListCounts> {
  const { scope, facets } = shape
  const rows = matchingFilesets(queries, shape, dialect, "candidates").select(sql`count(*)`.as("count"))
  const totals: Record<PageShape["total"], RawBuilder<number | null>> = {
    counts: sql`coalesce(sum(total) filter (where ${allOf(facets.map(isFacet))}), 0)`,
    rows: sql`(${rows})`,
    known: sql`null`,
  }
  return queries
    .selectFrom("fileset_counts")
    .select([sql<number>`coalesce(sum(changes), 0)`.as("changes"), totals[shape.total].as("total")])
    .where(scope.kind === "all" ? sql<SqlBool>`workspace = ''` : isInScope(sql.ref("workspace"), scope))
}
