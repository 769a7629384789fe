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
  /** The rows as JSON text: an array with a value for each, or with a text in a list where a row can't be read, and whether some of its numbers have to be read
   * as `ExactNumber`s. */
  | { readonly kind: "rows"; readonly text: string; readonly hasExact: boolean }
  | { readonly kind: "fault"; readonly fault: string }
