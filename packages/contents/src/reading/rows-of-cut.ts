import type { Cut } from "./cut-blocks.ts"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import type { Row } from "../rows/row.ts"
import { visitRows, type VisitOptions } from "./visit-rows.ts"

export interface RowSpan {
  /** Index of the first row that is wanted. */
  readonly start: number
  /** Index behind the last one. */
  readonly end: number
}

/** The rows of one cut at once: all, or those within `span`. What is not wanted is not parsed. */
export function rowsOfCut(cut: Cut, options: VisitOptions, span?: RowSpan): readonly Row[] {
  if (!("bounds" in cut)) return span === undefined || isWithin(cut.row_index, span) ? [cut] : []
  const rows: Row[] = []
  visitRows(span === undefined ? cut : clip(cut, span), options, (row) => rows.push(row))
  return rows
}

function isWithin(index: number, { start, end }: RowSpan): boolean {
  return index >= start && index < end
}

function clip(block: RowBlock, { start, end }: RowSpan): RowBlock {
  const skipped = Math.min(rowsIn(block), Math.max(0, start - block.rowIndex))
  const bounds = block.bounds.subarray(3 * skipped, 3 * Math.max(skipped, end - block.rowIndex))
  return { ...block, bounds, rowIndex: block.rowIndex + skipped }
}
