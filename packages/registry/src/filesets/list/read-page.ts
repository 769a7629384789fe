import type { Database } from "../../database/database.ts"
import type { PreparedQuery, SlotValues } from "../../database/prepared-query.ts"
import type { FilesetRow } from "../fileset-row.ts"
import { countsQuery, type ListCounts } from "./counts-query.ts"
import { pageQuery } from "./page-query.ts"
import type { PageShape } from "./page-shape.ts"

export interface PageRead extends ListCounts {
  readonly rows: readonly FilesetRow[]
}

/** Reads a page of the shape, asked with the values of its slots, and what was counted at the same moment. */
export type ReadPage = (shape: PageShape, values: SlotValues) => Promise<PageRead>

/** Compiles the queries of the shapes that everybody asks for once. */
export function createReadPage(database: Database): ReadPage {
  const prepared = new Map<string, PreparedQuery<readonly [readonly ListCounts[], readonly FilesetRow[]]>>()
  const prepare = (shape: PageShape) =>
    database.prepareTogether<ListCounts, FilesetRow>((queries) => [
      countsQuery(queries, shape, database.dialect),
      pageQuery(queries, shape, database.dialect),
    ])

  function queryFor(shape: PageShape) {
    if (shape.condition !== undefined || shape.scope.kind === "some") return prepare(shape)
    const { column, direction } = shape.order
    const key = [shape.scope.kind, column, direction, shape.start, ...shape.facets].join(" ")
    const known = prepared.get(key)
    if (known !== undefined) return known
    const query = prepare(shape)
    prepared.set(key, query)
    return query
  }

  return async (shape, values) => {
    const [counts, rows] = await queryFor(shape).run(values)
    return { changes: counts[0]?.changes ?? 0, total: counts[0]?.total ?? null, rows }
  }
}
