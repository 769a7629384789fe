import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely"
import type { Queries, Select } from "../../database/database.ts"
import { slot } from "../../database/prepared-query.ts"
import type { SqlDialect } from "../../database/sql-dialect.ts"
import type { Tables } from "../../database/tables.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import { matchingFilesets } from "./matching.ts"
import type { PageShape } from "./page-shape.ts"
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
