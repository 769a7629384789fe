import type { ColumnFilter } from "@assay/schemas"
import { isExactNumber, type NumberFinder } from "@assay/json"
import { rowsOfWindow, type RowsText } from "../formats/parquet/process/parquet-messages.ts"
import { visitRows } from "../reading/visit-rows.ts"
import { rowCondition } from "../rows/match-columns.ts"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns } from "../schemas/column-types.ts"
import type { RowChecker, RowFault } from "../schemas/row-checker.ts"
import { createKindCounts, isSameKind, kindsOf, type IssueCount } from "./issue-kinds.ts"

/** Which rows of a file are selected. All conditions must hold. Plain data. */
export interface RowSelection {
  readonly filters: readonly ColumnFilter[]
  /** Only rows with issues, which are counted by their kind. */
  readonly isInvalid: boolean
  /** Only rows with an issue of this kind. */
  readonly issue?: RowFault | undefined
}

/** Consecutive rows: a block of a text file, or a window of a Parquet file. */
export type RowPart =
  | { readonly block: RowBlock; readonly window?: undefined }
  | { readonly block?: undefined; readonly window: RowsText }

export interface SelectedRows {
  /** Rows of the part. */
  readonly rows: number
  /** The selected rows, counted from the first row of the part. */
  readonly found: Uint32Array<ArrayBuffer>
  readonly kinds: readonly IssueCount[]
}

/** Returns filters as plain data, which another thread can receive. The written form of a number has all of its digits. */
export function plainFilters(filters: readonly ColumnFilter[]): readonly ColumnFilter[] {
  return filters.map((filter) => ({
    ...filter,
    operands: filter.operands.map(({ readings, written }) => ({
      readings: readings.filter((reading) => !isExactNumber(reading)),
      written: isExactNumber(written) ? written.rawJSON : written,
    })),
  }))
}

/** Selects rows of a part. `finder` can be reused for any number of parts. */
export function selectRows(
  part: RowPart,
  { filters, isInvalid, issue }: RowSelection,
  { checker, finder }: { readonly checker: RowChecker | undefined; readonly finder: NumberFinder },
): SelectedRows {
  const kinds = createKindCounts()
  const found: number[] = []
  /** Rows that match the filters and have numbers of which the filters read more digits than the schema. */
  const unjudged = new Set<number>()
  let rows = 0
  let first = 0
  const holds = rowCondition(filters)
  const typesOf = checker?.columns ?? anyColumns
  // Filters compare the digits of numbers, and schemas their values.
  visitPart(part, { kept: filters.length > 0 ? "text" : "value", typesOf, finder }, (row) => {
    if (rows === 0) first = row.row_index
    rows += 1
    if (filters.length > 0 && (row.fault !== null || !holds(row.row))) return
    if (!isInvalid) found.push(row.row_index - first)
    else if (filters.length > 0 && row.fault === null && row.hasExact === true) unjudged.add(row.row_index)
    else judge(row)
  })
  if (unjudged.size > 0) {
    visitPart(part, { kept: "value", typesOf, finder }, (row) => {
      if (unjudged.has(row.row_index)) judge(row)
    })
    found.sort((a, b) => a - b)
  }
  return { rows, found: Uint32Array.from(found), kinds: kinds.list() }

  function judge(row: Row): void {
    const kindsOfRow = kindsOf(row, checker)
    if (kindsOfRow.length === 0) return
    for (const kind of kindsOfRow) kinds.add(kind)
    const hasKind = issue === undefined || kindsOfRow.some((kind) => isSameKind(kind, issue))
    if (hasKind) found.push(row.row_index - first)
  }
}

type PartVisit = Parameters<typeof visitRows>[1]

function visitPart({ block, window }: RowPart, options: PartVisit, visit: (row: Row) => void): void {
  if (block !== undefined) {
    if (rowsIn(block) > 0) visitRows(block, options, visit)
    return
  }
  for (const row of rowsOfWindow(window, options.kept)) visit(row)
}
