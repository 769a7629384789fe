import { parseExactJson, type KeptNumbers } from "@assay/json"
import type { Row } from "../../../rows/row.ts"
import type { RowLoss } from "../decode/lost-numbers.ts"

/** Rows and bytes of one row group, as the footer counts them. */
export interface GroupSize {
  readonly rows: number
  readonly bytes: number
}

/** An order to the process. It answers each order once. */
export type ParquetOrder =
  | { readonly kind: "open"; readonly size: number }
  /** Decodes rows. The answer contains the first of them. */
  | { readonly kind: "read"; readonly start: number; readonly end: number }
  /** Asks for more of the rows that were decoded last. */
  | { readonly kind: "more" }

export type ToParquetProcess =
  | ParquetOrder
  /** A piece of the requested bytes, in order. */
  | { readonly kind: "bytes"; readonly id: number; readonly bytes: Uint8Array }
  /** The requested bytes can't be read. */
  | { readonly kind: "lost"; readonly id: number }

/** The answer to an order, or a request for bytes that the process needs first. `ready` is sent once, when the process has started. */
export type FromParquetProcess =
  | { readonly kind: "ready" }
  | { readonly kind: "want"; readonly id: number; readonly start: number; readonly end: number }
  | ParquetAnswer

export type ParquetAnswer =
  | { readonly kind: "opened"; readonly groups: readonly GroupSize[] }
  /** Some of the requested rows. */
  | ({ readonly kind: "rows"; readonly count: number; readonly isLast: boolean } & Omit<RowsText, "rowIndex">)
  | { readonly kind: "fault"; readonly fault: string }

/** Consecutive rows as the JSON text of an array. */
export interface RowsText {
  readonly text: string
  /** Whether some numbers must be parsed as `ExactNumber`s. */
  readonly hasExact: boolean
  /** The rows in which null replaces values that JSON can't represent. */
  readonly lost: readonly RowLoss[]
  /** Index of the first row in the file. */
  readonly rowIndex: number
}

/** Parses the rows of a window. */
export function rowsOfWindow({ text, hasExact, lost, rowIndex }: RowsText, kept: KeptNumbers): readonly Row[] {
  const values = hasExact ? parseExactJson(text, kept).value : (JSON.parse(text) as unknown)
  const rows = (values as readonly unknown[]).map((value, index) => {
    const row = toParquetRow(value, rowIndex + index)
    return hasExact && row.fault === null ? { ...row, hasExact } : row
  })
  for (const { index, values: own } of lost) {
    const row = rows[index]
    if (row?.fault === null) rows[index] = { ...row, lost: own }
  }
  return rows
}

/** Converts an element of the JSON text to a row. A string means a row that can't be read. */
function toParquetRow(value: unknown, row_index: number): Row {
  const location = { row_index, line: null, offset: null }
  return typeof value === "string" ? { ...location, row: null, fault: value } : { ...location, row: value, fault: null }
}
