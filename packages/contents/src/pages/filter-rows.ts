import type { ColumnFilter } from "@assay/schemas"
import type { Row } from "../rows/row.ts"
import { rowCondition } from "../rows/match-columns.ts"

/** The maximum number of rows, and about the maximum number of their bytes, that one page searches. */
export const MAX_SCANNED_ROWS = 50_000
const MAX_SCANNED_BYTES = 32 * 1024 * 1024
/** The rows of Parquet have no bytes in the file. They come in batches of about this size. */
const BYTES_OF_BATCH = 1024 * 1024

/** A search of the rows of a page. */
export interface FilteredRows {
  /** The rows that match, up to the limit. A row that can't be read never matches. */
  readonly rows: AsyncGenerator<readonly Row[], void, undefined>
  /** Returns the index of the first row that was not searched when `count` matches were taken. */
  readonly end: (count: number) => number
}

interface FilterRowsOptions {
  /** Index of the first row. */
  readonly offset: number
  /** Maximum number of matches. */
  readonly limit: number
  readonly filters: readonly ColumnFilter[]
}

/** Searches rows until `limit` of them match, or enough were searched for one page. */
export function filterRows(
  batches: AsyncIterable<readonly Row[]>,
  { offset, limit, filters }: FilterRowsOptions,
): FilteredRows {
  const holds = rowCondition(filters)
  /** The index behind each match. */
  const behind: number[] = []
  let searched = offset

  async function* rows(): FilteredRows["rows"] {
    let start: number | undefined
    let batchCount = 0
    for await (const batch of batches) {
      const found: Row[] = []
      for (const row of batch) {
        searched = row.row_index + 1
        if (row.fault !== null || !holds(row.row)) continue
        found.push(row)
        if (behind.push(searched) === limit) break
      }
      if (found.length > 0) yield found
      start ??= batch[0]?.offset ?? 0
      batchCount++
      const position = batch.at(-1)?.offset ?? null
      const bytes = position === null ? batchCount * BYTES_OF_BATCH : position - start
      if (behind.length === limit || bytes > MAX_SCANNED_BYTES) return
    }
  }

  return { rows: rows(), end: (count) => (count < behind.length ? (behind[count - 1] ?? offset) : searched) }
}
