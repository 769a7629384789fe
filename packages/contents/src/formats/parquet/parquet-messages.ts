import type { RowsText } from "./parquet-row.ts"

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
