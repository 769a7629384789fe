import type { RowFault } from "../schemas/row-checker.ts"

/** The position of a row in its file. */
export interface RowLocation {
  /** From 0. */
  readonly row_index: number
  /** Line on which the row begins, from 1. Null in Parquet. */
  readonly line: number | null
  /** Byte at which the row begins in the uncompressed file, from 0. Null in Parquet. */
  readonly offset: number | null
}

/** A row as JSON. */
export interface ReadableRow extends RowLocation {
  /** Numbers that a JavaScript number can't hold are `ExactNumber`s. */
  readonly row: unknown
  readonly fault: null
  /** Whether the row contains an `ExactNumber`. Default: false. */
  readonly hasExact?: boolean
  /** Values that JSON can't represent and that are null in `row`: at most 10. Absent if there are none. */
  readonly lost?: readonly RowFault[]
}

/** A row that can't be read, or the location where the rest of the file can't be read. */
export interface UnreadableRow extends RowLocation {
  readonly row: null
  /** The fault, as the end of a sentence about the row: "is not JSON: …". */
  readonly fault: string
  /** Whether the whole file can't be read as it is: its encoding or its form is another one than expected. Default: false. */
  readonly isOfFile?: boolean
}

export type Row = ReadableRow | UnreadableRow

/** The result of parsing the text of a row: its value or its fault. */
export type RowReading =
  | {
      readonly row: unknown
      readonly fault: null
      /** Whether a number in it is an `ExactNumber`. Default: false. */
      readonly hasExact?: boolean
    }
  | { readonly row: null; readonly fault: string }
