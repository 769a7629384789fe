import { AssayError, paginate, type Pagination, type RecordSort } from "@assay/schemas"
import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely"
import type { Database, Queries } from "../database/database.ts"
import type { Tables } from "../database/tables.ts"
import type { PageQuery } from "../registry.ts"

export interface RecordQuery extends PageQuery {
  /** Records from elsewhere that stand in front of the first one, and are counted with them. Default 0. */
  readonly leading?: number
  /** Columns of JSON of any size. */
  readonly large?: readonly string[]
}

/** Bytes of such columns that a page holds at the most: more would fill the memory and keep everybody else waiting. */
const MAX_PAGE_BYTES = 33_554_432

/**
 * A page of the records that a query finds, in its order, and the number of all of them at the same moment.
 * @throws `too_large` for a page of more than one record whose JSON is too much at once; nothing of it is read
 */
export async function readRecords<Table extends keyof Tables, Row>(
  database: Database,
  { leading = 0, large = [], ...query }: RecordQuery,
  build: (queries: Queries) => SelectQueryBuilder<Tables, Table, Row>,
): Promise<{ rows: readonly Row[]; pagination: Pagination }> {
  const offset = pageOffset(query)
  const shown = Math.min(query.page_size, Math.max(0, leading - offset))
  const wanted = query.page_size - shown
  const read = database.prepareTogether<{ total: number; bytes: number }, Row>((queries) => {
    const found = build(queries)
    const from = Math.max(0, offset - leading)
    const bytes = bytesOf(large, sql`${found.limit(wanted).offset(from).as("page")}`)
    const counted = queries.selectFrom(found.as("found")).select([sql<number>`count(*)`.as("total"), bytes.as("bytes")])
    const limit = isBounded(large, wanted)
      ? sql<number>`(case when ${bytes} > ${MAX_PAGE_BYTES} then 0 else ${wanted} end)`
      : wanted
    return [counted, found.limit(limit).offset(from)]
  })
  const [counts, rows] = await read.run()
  const bytes = counts[0]?.bytes ?? 0
  if (isBounded(large, wanted) && bytes > MAX_PAGE_BYTES) throw pageTooLarge(query, bytes)
  const total = leading + (counts[0]?.total ?? 0)
  return { rows, pagination: paginate(query.page, query.page_size, shown + rows.length, total) }
}

/** A single record is answered however large it is. */
function isBounded(large: readonly string[], wanted: number): boolean {
  return large.length > 0 && wanted > 1
}

/** Bytes of the columns in all rows of `page`. Their sizes stand before them: nothing of them is read. */
function bytesOf(columns: readonly string[], page: RawBuilder<unknown>): RawBuilder<number> {
  if (columns.length === 0) return sql<number>`0`
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql<number>`(select coalesce(sum(${sql.join(sizes, sql` + `)}), 0) from ${page})`
}

function pageTooLarge({ page_size }: PageQuery, bytes: number): AssayError {
  const message = `The ${page_size} records of this page have ${bytes} bytes of JSON, more than the ${MAX_PAGE_BYTES} of one answer; ask for fewer with page_size.`
  return new AssayError("too_large", message, { context: { bytes, limit: MAX_PAGE_BYTES } })
}

/** Beyond what any database holds, and within what it reads as a number. */
const FARTHEST = 2 ** 52

/** How many records are in front of a page. */
export function pageOffset({ page, page_size }: PageQuery): number {
  return Math.min((page - 1) * page_size, FARTHEST)
}

export interface RecordOrder {
  readonly column: "created_at" | "name" | "updated_at"
  readonly direction: "asc" | "desc"
}

/** How a listing of records is sorted. Default: by name. Ties go by id ascending in both directions. */
export function orderOf(sort: RecordSort = "name"): RecordOrder {
  const isDescending = sort.startsWith("-")
  const column = (isDescending ? sort.slice(1) : sort) as RecordOrder["column"]
  return { column, direction: isDescending ? "desc" : "asc" }
}
