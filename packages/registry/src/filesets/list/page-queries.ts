import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely"
import type { Queries, Select } from "../../database/database.ts"
import { slot } from "../../database/prepared-query.ts"
import type { SqlDialect } from "../../database/sql-dialect.ts"
import type { Tables } from "../../database/tables.ts"
import { allOf } from "../../filter/conditions.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import { type PageShape, isFacet, isInScope } from "./page-plan.ts"
import { isAfter } from "./sort-order.ts"

/** More workspaces than that are not asked one by one. */
const MAX_BRANCHES = 100

/**
 * A number of rows, inside of an expression: a bare parameter there makes SQLite plan the query anew whenever it is run,
 * since the plan could depend on it.
 */
function numberSlot(name: "limit" | "offset" | "reach"): RawBuilder<number> {
  return sql`cast(${slot<number>(name)} as bigint)`
}

/** The filesets of a page, in order. */
export function pageQuery(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<FilesetRow> {
  const { scope, start } = shape
  const page = inOrder(shape, startOf(queries, shape, dialect))
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
  const isSplit = scope.kind === "some" && scope.workspaces.length > 1 && scope.workspaces.length <= MAX_BRANCHES
  if (start !== "remote" && !isSplit) return page.select(FILESET_COLUMNS)
  // What is skipped is skipped in the index alone, without a look at the rows.
  const ids = isSplit ? idsOfBranches(queries, shape, dialect, scope.workspaces) : page.select("id")
  return inOrder(shape, queries.selectFrom("filesets").where("id", "in", ids)).select(FILESET_COLUMNS)
}

function startOf(queries: Queries, shape: PageShape, dialect: SqlDialect) {
  const by = shape.candidates?.areFew === true ? "candidates" : "order"
  const matching = matchingFilesets(queries, shape, dialect, by)
  return shape.start === "mark" ? matching.where(isAfter(shape.order, slot("value"), slot("id"))) : matching
}

function inOrder<O>({ order }: PageShape, query: SelectQueryBuilder<Tables, "filesets", O>) {
  return query.orderBy(order.column, order.direction).orderBy("id")
}

/** An index has the filesets of one workspace in order, but not those of several: take the first of each, then of all. */
function idsOfBranches(queries: Queries, shape: PageShape, dialect: SqlDialect, workspaces: readonly string[]) {
  const { column, direction } = shape.order
  const branches = workspaces.map((workspace) => {
    const branch = { ...shape, scope: { kind: "some", workspaces: [workspace] } } as const
    const first = inOrder(branch, startOf(queries, branch, dialect)).limit(numberSlot("reach"))
    return queries.selectFrom(first.select(["id", `${column} as value`]).as("branch")).select(["id", "value"])
  })
  const all = branches.reduce((union, branch) => union.unionAll(branch))
  return queries
    .selectFrom(all.as("first"))
    .select("id")
    .orderBy("value", direction)
    .orderBy("id")
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
}

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
