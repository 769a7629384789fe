import type { RowsText } from "./parquet-row.ts"

/** Rows and bytes of one row group, as the footer counts them. */
export interface GroupSize {
  readonly rows: number
  readonly bytes: number
}

/** What the thread is told. */
export type ToParquetThread =
  | { readonly kind: "open" }
  | { readonly kind: "read"; readonly start: number; readonly end: number }
  /** The bytes that were wanted; null where they can't be had. */
  | { readonly kind: "part"; readonly id: number; readonly bytes: ArrayBuffer | null }

/** What the thread answers: each order with one answer, and what it wants in between. */
export type FromParquetThread =
  | { readonly kind: "want"; readonly id: number; readonly start: number; readonly end: number }
  | ParquetAnswer

export type ParquetAnswer =
  | { readonly kind: "opened"; readonly groups: readonly GroupSize[] }
  /** The rows that were asked for. */
  | ({ readonly kind: "rows" } & Omit<RowsText, "rowIndex">)
  | { readonly kind: "fault"; readonly fault: string }
