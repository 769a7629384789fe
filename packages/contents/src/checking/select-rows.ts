import type { ColumnFilter } from "@assay/schemas"
import { isExactNumber, type NumberFinder } from "@assay/json"
import { rowsOfWindow, type RowsText } from "../formats/parquet/process/parquet-messages.ts"
import { visitRows } from "../reading/visit-rows.ts"
import { rowCondition } from "../rows/match-columns.ts"
import { rowsIn, type RowBlock } from "../rows/row-block.ts"
import type { Row } from "../rows/row.ts"
import { anyColumns } from "../schemas/column-types.ts"
import type { RowChecker, RowFault } from "../schemas/row-checker.ts"

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

/** Issues of one kind. */
export interface IssueCount extends RowFault {
  readonly count: number
}

export interface SelectedRows {
  /** Rows of the part. */
  readonly rows: number
  /** The selected rows, counted from the first row of the part. */
  readonly found: Uint32Array<ArrayBuffer>
  readonly kinds: readonly IssueCount[]
}

/** Kinds that are counted. Messages of unreadable rows could be very many. */
const MAX_KINDS = 200

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
  let rows = 0
  let first: number | undefined
  const matches = new Set<number>()
  const holds = rowCondition(filters)
  const typesOf = checker?.columns ?? anyColumns
  // Filters compare the digits of numbers, and schemas their values.
  visitPart(part, { kept: filters.length > 0 ? "text" : "value", typesOf, finder }, (row) => {
    rows += 1
    first ??= row.row_index
    const isWanted = filters.length === 0 || (row.fault === null && holds(row.row))
    if (!isWanted) return
    if (!isInvalid) matches.add(row.row_index)
    else if (filters.length === 0) judge(row)
    else matches.add(row.row_index)
  })
  if (isInvalid && filters.length > 0 && matches.size > 0) {
    const wanted = new Set(matches)
    matches.clear()
    visitPart(part, { kept: "value", typesOf, finder }, (row) => {
      if (wanted.has(row.row_index)) judge(row)
    })
  }
  return { rows, found: Uint32Array.from(matches, (index) => index - (first ?? 0)), kinds: kinds.list() }

  function judge(row: Row): void {
    const faults = faultsOf(row, checker)
    if (faults.length === 0) return
    const found = faults.map((fault) => kindOf(fault, row.fault !== null))
    for (const kind of found) kinds.add(kind)
    const hasKind = issue === undefined || found.some((one) => isSameKind(one, issue))
    if (hasKind) matches.add(row.row_index)
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

function faultsOf(row: Row, checker: RowChecker | undefined): readonly RowFault[] {
  if (row.fault !== null) return [{ pointer: "", message: row.fault }]
  const lost = row.lost ?? []
  if (checker === undefined || checker.isValid(row.row, row.hasExact)) return lost
  return [...lost, ...checker.listFaults(row.row, row.hasExact)]
}

/** Returns the kind of an issue: any element of an array stands for all, and the value, or the text of an unreadable row, is left out. */
function kindOf({ pointer, message }: RowFault, isUnreadable: boolean): RowFault {
  const general = pointer.replaceAll(/\/\d+(?=\/|$)/gu, "/*")
  if (!isUnreadable) return { pointer: general, message: message.replace(/; it is .*$/su, "") }
  return { pointer: general, message: message.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\d+/gu, "…") }
}

function isSameKind(a: RowFault, b: RowFault): boolean {
  return a.pointer === b.pointer && a.message === b.message
}

/** Counts issues by kind. */
export function createKindCounts(): {
  readonly add: (fault: RowFault, count?: number) => void
  /** The kinds, the most frequent one first. */
  readonly list: () => readonly IssueCount[]
} {
  const counts = new Map<string, IssueCount>()
  return {
    add({ pointer, message }, count = 1) {
      const key = JSON.stringify([pointer, message])
      const known = counts.get(key)
      if (known === undefined && counts.size >= MAX_KINDS) return
      counts.set(key, { pointer, message, count: (known?.count ?? 0) + count })
    },
    list: () => [...counts.values()].toSorted((a, b) => b.count - a.count),
  }
}
