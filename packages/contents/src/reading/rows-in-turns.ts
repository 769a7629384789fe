import { setImmediate } from "node:timers/promises"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import type { Row } from "../rows/row.ts"
import type { Cut } from "./cut-blocks.ts"
import { visitRows, type VisitOptions } from "./visit-rows.ts"

/** Number of columns from which a block holds many more fields than bytes of text. */
const WIDE_COLUMNS = 500
const FIELDS_OF_TURN = 40_000

/**
 * Reads the rows of a block that are in `span`. A block of wide CSV has 250,000 fields, so it lets other work run in
 * between.
 */
export async function* rowsInTurns(
  cut: Cut,
  options: VisitOptions,
  span?: RowSpan,
): AsyncGenerator<readonly Row[], void, undefined> {
  const step = rowsOfTurn(cut)
  if (step === undefined) {
    yield rowsOfCut(cut, options, span)
    return
  }
  const start = Math.max(step.start, span?.start ?? 0)
  const end = Math.min(step.end, span?.end ?? Infinity)
  for (let at = start; at < end; at += step.rows) {
    yield rowsOfCut(cut, options, { start: at, end: Math.min(at + step.rows, end) })
    await setImmediate()
  }
}

function rowsOfTurn(cut: Cut): { readonly start: number; readonly end: number; readonly rows: number } | undefined {
  if (!("bounds" in cut) || cut.head.encoding !== "csv") return undefined
  const columns = cut.head.columns?.length ?? 0
  if (columns < WIDE_COLUMNS) return undefined
  return {
    start: cut.rowIndex,
    end: cut.rowIndex + rowsIn(cut),
    rows: Math.max(1, Math.floor(FIELDS_OF_TURN / columns)),
  }
}

export interface RowSpan {
  /** Index of the first row. */
  readonly start: number
  /** Index after the last row. */
  readonly end: number
}

/** Reads the rows of one cut at once: all, or those within `span`. Rows outside it are not parsed. */
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
