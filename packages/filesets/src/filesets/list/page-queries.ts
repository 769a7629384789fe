import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely"
import {
  slot,
  type Queries,
  type Select,
  type SqlDialect,
  type Tables,
  allOf,
  type Condition,
  type RecordOrder,
} from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import { isFacet, isInScope, type PageShape, type RowSource, type Scope } from "./page-plan.ts"

/** Maximum number of workspaces that are queried one by one. */
const MAX_BRANCHES = 100

/**
 * Returns a slot for a number of rows, as an expression. With a bare parameter SQLite would plan the query again on every
 * run, because the plan could depend on the value.
 */
export function numberSlot(name: "limit" | "offset" | "reach"): RawBuilder<number> {
  return sql`cast(${slot<number>(name)} as bigint)`
}

/** Returns the query for the filesets of a page, in order. */
export function pageQuery(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<FilesetRow> {
  const { scope, start } = shape
  if (shape.source === "table") return sortedPage(queries, shape, dialect)
  const page = inOrder(shape, startOf(queries, shape, dialect))
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
  const isSplit = scope.kind === "some" && scope.workspaces.length > 1 && scope.workspaces.length <= MAX_BRANCHES
  if (start !== "many" && !isSplit) return page.select(FILESET_COLUMNS)
  // Skip in the index, without reading the rows.
  const ids = isSplit ? idsOfBranches(queries, shape, dialect, scope.workspaces) : page.select("id")
  return inOrder(shape, queries.selectFrom("filesets").where("id", "in", ids)).select(FILESET_COLUMNS)
}

/** Sorts all matches of the table, without their large columns, and keeps only those up to the end of the page. */
function sortedPage(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<FilesetRow> {
  const { column, direction } = shape.order
  const ids = startOf(queries, shape, dialect)
    .select("id")
    .orderBy(dialect.unindexed(sql.ref(column)), direction)
    .orderBy("id")
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
  return inOrder(shape, queries.selectFrom("filesets").where("id", "in", ids)).select(FILESET_COLUMNS)
}

/** Returns the query for the filesets from which the rows of a page are taken. */
export function startOf(queries: Queries, shape: PageShape, dialect: SqlDialect) {
  const matching = matchingFilesets(queries, shape, dialect, shape.source)
  return shape.start === "mark" ? matching.where(isAfter(shape.order, slot("value"), slot("id"))) : matching
}

export function inOrder<O>({ order }: PageShape, query: SelectQueryBuilder<Tables, "filesets", O>) {
  return query.orderBy(order.column, order.direction).orderBy("id")
}

/** Selects the first of each workspace, then the first of all: an index orders the filesets of one workspace, not of several. */
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
  /** Number of changes that the filesets in the scope have had. */
  readonly changes: number
  /** Null if it is already known. */
  readonly total: number | null
}

/** Returns the query for the counts of a listing. */
export function countsQuery(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<ListCounts> {
  return keptCounts(queries, shape.scope).select([CHANGES, totalOf(queries, shape, dialect).as("total")])
}

export const CHANGES = sql<number>`coalesce(sum(changes), 0)`.as("changes")

/** Returns a query for the counts that the database keeps of the filesets in a scope. */
export function keptCounts(queries: Queries, scope: Scope) {
  const isCounted = scope.kind === "all" ? sql<SqlBool>`workspace = ''` : isInScope(sql.ref("workspace"), scope)
  return queries.selectFrom("fileset_counts").where(isCounted)
}

function totalOf(queries: Queries, shape: PageShape, dialect: SqlDialect): RawBuilder<number | null> {
  const { total, facets } = shape
  if (total === "known") return sql`null`
  if (total === "counts") return sql`coalesce(sum(total) filter (where ${allOf(facets.map(isFacet))}), 0)`
  return sql`(${matchingFilesets(queries, shape, dialect, total).select(sql`count(*)`.as("count"))})`
}

/** Returns the query for the filesets that match the filter of a listing. */
export function matchingFilesets(
  queries: Queries,
  { scope, facets, condition, candidates }: Omit<PageShape, "source">,
  dialect: SqlDialect,
  source: RowSource,
) {
  const workspace = sql.ref("filesets.workspace")
  const conditions = facets.map(isFacet)
  if (condition !== undefined) conditions.push(condition)
  if (candidates !== undefined && source === "candidates") conditions.push(candidates.condition)
  conditions.push(isInScope(source === "order" ? workspace : dialect.unindexed(workspace), scope))
  return queries.selectFrom("filesets").where(allOf(conditions))
}

/** A position in a sorted listing: after the fileset with this sort value and id. */
export interface PageMark {
  readonly value: string | number
  readonly id: string
}

export function markOf(row: FilesetRow, { column }: RecordOrder): PageMark {
  return { value: row[column], id: row.id }
}

/** Returns the condition for filesets after a mark. An index can serve the first of its two parts. */
export function isAfter(
  { column, direction }: RecordOrder,
  value: Expression<unknown>,
  id: Expression<unknown>,
): Condition {
  const sign = sql.raw(direction === "asc" ? ">" : "<")
  const sorted = sql.ref(`filesets.${column}`)
  return sql`(${sorted} ${sign}= ${value} and (${sorted} ${sign} ${value} or ${sql.ref("filesets.id")} > ${id}))`
}
