import type { RowFault } from "../schemas/row-checker.ts"

/** Where a row stands in its file. */
export interface RowPlace {
  /** From 0. */
  readonly row_index: number
  /** On which the row begins, from 1. Null in Parquet. */
  readonly line: number | null
  /** Byte at which the row begins, from 0, in the file as it is uncompressed. Null in Parquet. */
  readonly offset: number | null
}

/** A row as JSON. */
export interface ReadableRow extends RowPlace {
  /** Numbers that JavaScript's don't keep are `ExactNumber`s. */
  readonly row: unknown
  readonly fault: null
  /** Whether it has such a number. Absent: it has none. */
  readonly hasExact?: boolean
  /** Values that JSON can't hold: null is in their places. At most 10 of a row. Absent: there are none. */
  readonly lost?: readonly RowFault[]
}

/** A row that can't be read, or the place where the file can't be read any further. */
export interface UnreadableRow extends RowPlace {
  readonly row: null
  /** What is wrong with its bytes, as the end of a sentence about the row: "is not JSON: …". */
  readonly fault: string
}

export type Row = ReadableRow | UnreadableRow

/** What the text of a row says: its value, or what is wrong with it. */
export type RowReading =
  | {
      readonly row: unknown
      readonly fault: null
      /** Whether a number in it is an `ExactNumber`. Absent: none is. */
      readonly hasExact?: boolean
    }
  | { readonly row: null; readonly fault: string }
