import type { Pagination, WorkspaceSort, WORKSPACE_LISTING, ListingQuery } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import type { Database } from "../database/database.ts"
import { readRecords } from "../database/read-records.ts"
import type { WorkspaceTable } from "../database/tables.ts"
import { allOf, anyOf } from "../filter/conditions.ts"
import { containsText } from "../filter/contains-text.ts"
import type { PageQuery, VisibleWorkspaces } from "../registry.ts"

export interface WorkspaceQuery extends PageQuery {
  /** Default `name`. */
  readonly sort?: WorkspaceSort
  readonly where?: ListingQuery<(typeof WORKSPACE_LISTING.filter)[number], (typeof WORKSPACE_LISTING.search)[number]>
}

type Sorted = "created_at" | "name" | "updated_at"

/** A page of the workspaces that are visible. */
export async function listWorkspaces(
  database: Database,
  { sort = "name", where = { equals: {}, contains: {} }, ...query }: WorkspaceQuery,
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
  const isDescending = sort.startsWith("-")
  const column = (isDescending ? sort.slice(1) : sort) as Sorted
  return readRecords(database, query, (queries) =>
    queries
      .selectFrom("workspaces")
      .selectAll()
      .where(condition)
      .orderBy(column, isDescending ? "desc" : "asc")
      // Ties go by id ascending in both directions.
      .orderBy("id"),
  )
}
