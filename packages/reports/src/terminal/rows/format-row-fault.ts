import { printable } from "@assay/schemas"

/** The location of a row in its file. */
export interface RowLocation {
  readonly row_index: number
  /** From 1; null in Parquet, which has no lines. */
  readonly line: number | null
  readonly offset: number | null
}

/** Formats a location as `file:line:offset`, which editors and terminals can open; for Parquet, which has no lines, as `file:row 12`. */
export function formatRowLocation(name: string, { row_index, line, offset }: RowLocation): string {
  return `${printable(name)}:${line === null ? `row ${row_index}` : `${line}:${offset}`}`
}

/** A fault of a row, with its location. */
export interface RowFault extends RowLocation {
  /** JSON Pointer to the value; empty for the row itself. */
  readonly pointer: string
  readonly message: string
}

/** Formats a fault as `file:line:offset /pointer what is wrong`. */
export function formatRowFault(name: string, fault: RowFault): string {
  const { pointer, message } = fault
  return [formatRowLocation(name, fault), ...(pointer === "" ? [] : [printable(pointer)]), printable(message)].join(" ")
}
