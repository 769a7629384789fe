import { sql, type SqlBool } from "kysely"
import { slot, type Queries, type Select, type SqlDialect, allOf } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../../fileset-row.ts"
import type { PageShape, RowSource } from "../page-plan.ts"
import { CHANGES, inOrder, isAfter, keptCounts, matchingFilesets, numberSlot, startOf } from "../page-queries.ts"

/** Number of filesets that are read through an index in the hope of a whole page. They cost 2 % of a pass over a million. */
const NEAR = 10_000

/** Returns the query for the filesets of a page, of which it finds only those among the next filesets in order. */
export function nearPageQuery(queries: Queries, shape: PageShape, dialect: SqlDialect): Select<FilesetRow> {
  const { condition, ...all } = shape
  const next = inOrder(shape, startOf(queries, { ...all, condition: undefined, source: "order" }, dialect))
    .limit(sql.lit(NEAR))
    .selectAll()
  return inOrder(
    shape,
    queries.selectFrom(next.as("filesets")).where(allOf(condition === undefined ? [] : [condition])),
  )
    .select(FILESET_COLUMNS)
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
}

interface Matches {
  readonly changes: number
  readonly total: number
  /** The filesets of the page: a JSON list. */
  readonly ids: string
}

/**
 * Returns the query for the counts of a listing and the filesets of one page. All matches are kept until they are counted, but
 * only the columns that order them, so a pass that also finds the page costs little more than a pass that counts.
 */
export function matchesQuery(
  queries: Queries,
  shape: PageShape & { readonly total: RowSource },
  dialect: SqlDialect,
): Select<Matches> {
  const { order, scope, start } = shape
  const matches = matchingFilesets(queries, shape, dialect, shape.total).select(["id", order.column])
  const kept = queries.selectFrom(sql<FilesetRow>`matches`.as("filesets"))
  const onPage = inOrder(shape, start === "mark" ? kept.where(isAfter(order, slot("value"), slot("id"))) : kept)
    .select("id")
    .limit(numberSlot("limit"))
    .offset(numberSlot("offset"))
  const counts = keptCounts(queries, scope).select([
    CHANGES,
    sql<number>`(select count(*) from matches)`.as("total"),
    sql<string>`(select json_group_array(id) from (${onPage}))`.as("ids"),
  ])
  return queries
    .with(
      (cte) => cte("matches").materialized(),
      () => matches,
    )
    .selectFrom(counts.as("counts"))
    .selectAll()
}

/** Returns the query for filesets by their ids, a JSON list, in order. */
export function filesetsQuery(
  queries: Queries,
  shape: PageShape,
  dialect: SqlDialect,
  ids: string,
): Select<FilesetRow> {
  const isListed = sql<SqlBool>`id in (select value from ${dialect.jsonElements(ids)})`
  return inOrder(shape, queries.selectFrom("filesets").where(isListed)).select(FILESET_COLUMNS)
}
