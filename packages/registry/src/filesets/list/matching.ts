import { sql } from "kysely"
import type { Queries } from "../../database/database.ts"
import type { SqlDialect } from "../../database/sql-dialect.ts"
import { allOf } from "../../filter/conditions.ts"
import { isFacet, isInScope, type PageShape } from "./page-shape.ts"

/**
 * The filesets that satisfy the filter of a listing.
 * @param by whether to begin with the candidates of the search index, or with what is next in the order of the listing
 */
export function matchingFilesets(
  queries: Queries,
  { scope, facets, condition, candidates }: PageShape,
  dialect: SqlDialect,
  by: "candidates" | "order",
) {
  const workspace = sql.ref("filesets.workspace")
  const conditions = facets.map(isFacet)
  if (condition !== undefined) conditions.push(condition)
  if (candidates !== undefined && by === "candidates") {
    conditions.push(candidates.condition, isInScope(dialect.unindexed(workspace), scope))
  } else conditions.push(isInScope(workspace, scope))
  return queries.selectFrom("filesets").where(allOf(conditions))
}
