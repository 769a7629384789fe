import type { ListingQuery, Pagination, WORKSPACE_LISTING } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { Database } from "../database/database.ts"
import type { WorkspaceTable } from "../database/tables.ts"
import { allOf, anyOf, containsText } from "../filter/conditions.ts"
import { orderOf, readRecords } from "../records/read-records.ts"
import type { SortedQuery, VisibleWorkspaces } from "../registry.ts"

export interface WorkspaceQuery extends SortedQuery {
  readonly where?: ListingQuery<(typeof WORKSPACE_LISTING.filter)[number], (typeof WORKSPACE_LISTING.search)[number]>
}

/** Reads a page of the visible workspaces. */
export async function listWorkspaces(
  database: Database,
  { sort, where = { equals: {}, contains: {} }, ...query }: WorkspaceQuery,
  visible: VisibleWorkspaces,
): Promise<{ rows: readonly Selectable<WorkspaceTable>[]; pagination: Pagination }> {
  const { from, to } = where.created_at ?? {}
  const condition = allOf([
    ...(visible === "all" ? [] : [anyOf(visible.map((name) => sql`name = ${name}`))]),
    ...Object.entries(where.equals).map(([field, value]) => sql<boolean>`${sql.ref(field)} = ${value}`),
    ...Object.entries(where.contains).map(([field, part]) => containsText(database.dialect, field, part)),
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
  ])
  const { column, direction } = orderOf(sort)
  return readRecords(database, query, (queries) =>
    queries
      .selectFrom("workspaces")
      .selectAll()
      .where(condition)
      .orderBy(column, direction)
      // Equal values are ordered by ascending id in both directions.
      .orderBy("id"),
  )
}
