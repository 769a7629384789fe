import { parseExactJson, type KeptNumbers } from "@assay/schemas/numbers"
import type { Row } from "../../rows/row.ts"
import type { RowLoss } from "./parquet-value.ts"

/** Rows and bytes of one row group, as the footer counts them. */
export interface GroupSize {
  readonly rows: number
  readonly bytes: number
}

/** What the process is asked to do. It answers each order once. */
export type ParquetOrder =
  | { readonly kind: "open"; readonly size: number }
  /** Decodes rows; the answer has the first of them. */
  | { readonly kind: "read"; readonly start: number; readonly end: number }
  /** More of the rows that were decoded last. */
  | { readonly kind: "more" }

export type ToParquetProcess =
  | ParquetOrder
  /** Some of the bytes that were wanted, in their order. */
  | { readonly kind: "bytes"; readonly id: number; readonly bytes: Uint8Array }
  /** The bytes that were wanted can't be read. */
  | { readonly kind: "lost"; readonly id: number }

/** The answer to an order, and the bytes that the process wants before it can answer. */
export type FromParquetProcess =
  | { readonly kind: "want"; readonly id: number; readonly start: number; readonly end: number }
  | ParquetAnswer

export type ParquetAnswer =
  | { readonly kind: "opened"; readonly groups: readonly GroupSize[] }
  /** Rows of those that were asked for. */
  | ({ readonly kind: "rows"; readonly count: number; readonly isLast: boolean } & Omit<RowsText, "rowIndex">)
  | { readonly kind: "fault"; readonly fault: string }

/** Rows that follow one another as the JSON text of an array. */
export interface RowsText {
  readonly text: string
  /** Whether some of its numbers have to be read as `ExactNumber`s. */
  readonly hasExact: boolean
  /** Rows in which null is in the place of values that JSON can't hold. */
  readonly lost: readonly RowLoss[]
  /** Index in the file of the first row. */
  readonly rowIndex: number
}

/** The rows of an array as JSON text. */
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

/** A row out of the text that the reader of Parquet gives, where a string stands for a row that can't be read. */
function toParquetRow(value: unknown, row_index: number): Row {
  const place = { row_index, line: null, offset: null }
  return typeof value === "string" ? { ...place, row: null, fault: value } : { ...place, row: value, fault: null }
}
