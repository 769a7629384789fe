import { AssayError } from "@assay/schemas"
import type { OpenedSplit, ViewedDataset } from "./open-split.ts"
import { createFirstOrdered, MAX_ORDERED, parseOrderBy } from "./order-by.ts"
import { countFiles, createSizeCheck, readRowsAt, viewedRow, type ViewedRow } from "./split-rows.ts"

/** Rows that match, and how many match in the whole split. */
export interface FoundRows {
  readonly rows: readonly ViewedRow[]
  readonly total: number
}

export interface FindQuery {
  /** Whether a row that can be read matches. */
  readonly matches: (row: unknown) => boolean
  /** `"column" DESC`. Default: the order of the rows. */
  readonly orderBy: string | undefined
  readonly offset: number
  readonly length: number
}

/** Searches all rows of a split. Holds only the rows of the page in memory. @throws `bad_filter`, `too_large`, `bad_request` */
export async function findRows(viewed: ViewedDataset, split: OpenedSplit, query: FindQuery): Promise<FoundRows> {
  const { offset, length, orderBy } = query
  if (orderBy !== undefined) return findOrdered(viewed, split, query, parseOrderBy(orderBy))
  const rows: ViewedRow[] = []
  const check = createSizeCheck()
  const total = await visitMatches(viewed, split, query, (row, index, number) => {
    if (number < offset || number >= offset + length) return
    check(row)
    rows.push(viewedRow(index, { row }))
  })
  return { rows, total }
}

async function findOrdered(
  viewed: ViewedDataset,
  split: OpenedSplit,
  query: FindQuery,
  order: ReturnType<typeof parseOrderBy>,
): Promise<FoundRows> {
  const { offset, length } = query
  if (offset + length > MAX_ORDERED) {
    const message = `An ordered page ends at row ${MAX_ORDERED} or before, but this one ends at ${offset + length}. Filter more, or leave \`orderby\` out.`
    throw new AssayError("bad_request", message)
  }
  const first = createFirstOrdered(order, offset + length)
  const total = await visitMatches(viewed, split, query, (row, index) => first.add(row, index))
  const counts = await countFiles(viewed, split)
  const rows = await readRowsAt(viewed, split, { counts, indexes: first.indexes().slice(offset) })
  return { rows, total }
}

/** Calls `visit` for each row that matches, with its index and the number of matches before it. Returns the number of matches. */
async function visitMatches(
  { fileset, reader, signal }: ViewedDataset,
  { files, metadata }: OpenedSplit,
  { matches }: Pick<FindQuery, "matches">,
  visit: (row: unknown, index: number, number: number) => void,
): Promise<number> {
  const paths = files.map(({ path }) => path)
  let total = 0
  await reader.files.scan(fileset, paths, {
    metadata,
    signal,
    async use(batches) {
      for await (const { before, rows } of batches) {
        for (const { row, row_index, fault } of rows) {
          if (fault !== null || !matches(row)) continue
          visit(row, before + row_index, total)
          total++
        }
      }
    },
  })
  return total
}
