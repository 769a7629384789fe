import { setImmediate as nextTurn } from "node:timers/promises"
import { AssayError, paginate, type Pagination, type RecordSort } from "@assay/schemas"
import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely"
import { LRUCache } from "lru-cache"
import type { Database, Queries } from "../database.ts"
import type { Tables } from "../tables/tables.ts"
import type { PageQuery } from "./queries.ts"

export interface RecordQuery extends PageQuery {
  /** Number of records from elsewhere that come first and are counted with the others. Default 0. */
  readonly leading?: number
  /** Columns with JSON of any size. */
  readonly large?: readonly string[]
}

/** Maximum bytes of such columns in a page. More would fill the memory and delay other requests. */
const MAX_PAGE_BYTES = 33_554_432

/**
 * Reads a page of the records of a query, in its order, and their total at the same moment.
 * @throws `too_large` if a page of more than one record has too much JSON. The page is not read
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

/** Returns whether the bytes of a page are limited. A page of one record has no limit. */
function isBounded(large: readonly string[], wanted: number): boolean {
  return large.length > 0 && wanted > 1
}

/** Returns the bytes of the columns in all rows of `page`. Databases store the sizes, so the columns are not read. */
function bytesOf(columns: readonly string[], page: RawBuilder<unknown>): RawBuilder<number> {
  if (columns.length === 0) return sql<number>`0`
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql<number>`(select coalesce(sum(${sql.join(sizes, sql` + `)}), 0) from ${page})`
}

function pageTooLarge({ page_size }: PageQuery, bytes: number): AssayError {
  const message = `The ${page_size} records of this page have ${bytes} bytes of JSON, more than the ${MAX_PAGE_BYTES} of one response; request fewer with page_size.`
  return new AssayError("too_large", message, { context: { bytes, limit: MAX_PAGE_BYTES } })
}

/** More records than any database has, and small enough for its numbers. */
const MAX_OFFSET = 2 ** 52

/** Returns the number of records before a page. */
export function pageOffset({ page, page_size }: PageQuery): number {
  return Math.min((page - 1) * page_size, MAX_OFFSET)
}

export interface RecordOrder {
  readonly column: "created_at" | "name" | "updated_at"
  readonly direction: "asc" | "desc"
}

/** Returns the order of a listing. Default: by name. Equal values are ordered by ascending id in both directions. */
export function orderOf(sort: RecordSort = "name"): RecordOrder {
  const isDescending = sort.startsWith("-")
  const column = (isDescending ? sort.slice(1) : sort) as RecordOrder["column"]
  return { column, direction: isDescending ? "desc" : "asc" }
}

/** Rows of a page by default. */
const PAGE_ROWS = 500

/**
 * Reads all rows of a query, one page after the other. The embedded database runs on this thread, so other requests get
 * their turn between two pages.
 * @param read returns at most `limit` rows, in order, that come after the row `last`; the first rows if it is undefined
 */
export async function* readPages<Row>(
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
  limit = PAGE_ROWS,
): AsyncGenerator<readonly Row[], void, undefined> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    last = rows.at(-1)
    await nextTurn()
  }
}

/** Maximum number of records that are remembered. */
const MAX_REMEMBERED = 1000

/**
 * Returns a function that makes records of rows with `make`. For a row that was used before it returns the same frozen object
 * while the row is unchanged. Every change increases `updated_at`, and a new record of the same name has another id. Rows that
 * are used once are not remembered: their records would only displace those of others.
 */
export function rememberRecords<Row extends { readonly id: string; readonly updated_at: number }, T extends object>(
  make: (row: Row) => T,
): (row: Row) => T {
  const kept = new LRUCache<string, { readonly updatedAt: number; readonly record: T | undefined }>({
    max: MAX_REMEMBERED,
  })
  return (row) => {
    const { id, updated_at: updatedAt } = row
    const known = kept.get(id)
    const isKnown = known?.updatedAt === updatedAt
    if (isKnown && known.record !== undefined) return known.record
    const record = isKnown ? Object.freeze(make(row)) : make(row)
    kept.set(id, { updatedAt, record: isKnown ? record : undefined })
    return record
  }
}
