import type { Database, PreparedQuery, SlotValues, Candidates } from "@assay/database"
import type { FilesetRow } from "../fileset-row.ts"
import type { ListMemory } from "./list-memory.ts"
import type { PagePlan, PageShape, RowSource } from "./page-plan.ts"
import { countsQuery, markOf, pageQuery, type ListCounts, type PageMark } from "./page-queries.ts"

/** From this offset on, it costs less to skip in the index, without reading the rows. */
export const MANY = 100

/** The parts of a shape that depend on what the database contains. */
export interface PageSources {
  readonly candidates: Candidates | undefined
  readonly source: RowSource
  /** The source of a total that has to be counted. */
  readonly counted: RowSource
}

/** The rows of a page, and the counts of its listing at the same moment. */
export interface CountedRows {
  readonly rows: readonly FilesetRow[]
  readonly changes: number
  readonly total: number
}

export interface RememberedPage extends CountedRows {
  /** The marks of this page and the next one. */
  readonly marks: ReadonlyMap<string, PageMark>
  /** Whether `memory` is outdated. Then the other fields are invalid. */
  readonly isStale: boolean
}

/** Reads a page, and uses the total and the mark in `memory`. */
export async function readRemembered(
  readPage: ReadPage,
  { plan, sources }: { readonly plan: PagePlan; readonly sources: PageSources },
  memory: ListMemory | undefined,
): Promise<RememberedPage> {
  const { shape, offset, size, isCounted } = plan
  const { candidates, source, counted } = sources
  const positionOf = (offset: number) => `${shape.order.direction} ${shape.order.column} ${offset}`
  const mark = memory?.marks.get(positionOf(offset))
  const knownTotal = isCounted ? undefined : memory?.total
  // The row before the page becomes its mark.
  const lead = mark === undefined && offset > 0 ? 1 : 0

  const start = mark === undefined ? { offset: offset - lead } : { offset: 0, value: mark.value, id: mark.id }
  const read = await readPage(
    {
      ...shape,
      candidates,
      source,
      start: mark !== undefined ? "mark" : offset > MANY ? "many" : "few",
      total: isCounted ? "counts" : knownTotal === undefined ? counted : "known",
    },
    { ...plan.values, ...start, limit: size + lead, reach: start.offset + size + lead },
  )

  const rows = read.rows.slice(lead)
  const marks = new Map<string, PageMark>()
  const before = lead === 1 ? read.rows[0] : undefined
  const last = rows[size - 1]
  if (before !== undefined) marks.set(positionOf(offset), markOf(before, shape.order))
  if (last !== undefined) marks.set(positionOf(offset + size), markOf(last, shape.order))
  const usesMemory = mark !== undefined || knownTotal !== undefined
  return {
    rows,
    changes: read.changes,
    total: knownTotal ?? read.total ?? 0,
    marks,
    isStale: usesMemory && read.changes !== memory?.changes,
  }
}

export interface PageRead extends ListCounts {
  readonly rows: readonly FilesetRow[]
}

/** Reads a page with the values of its slots, and its counts at the same moment. */
export type ReadPage = (shape: PageShape, values: SlotValues) => Promise<PageRead>

/** Compiles the queries of common shapes once. */
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
