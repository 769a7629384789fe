import { printable } from "@assay/schemas/printable"

/** Where a row stands. */
export interface RowPlace {
  readonly row_index: number
  /** From 1; null in Parquet, which has no lines. */
  readonly line: number | null
  readonly offset: number | null
}

/** `file:line:offset`, which editors and terminals can follow; `file:row 12` in Parquet, which has no lines. */
export function formatRowPlace(name: string, { row_index, line, offset }: RowPlace): string {
  return `${printable(name)}:${line === null ? `row ${row_index}` : `${line}:${offset}`}`
}

/** `file:line:offset /pointer what is wrong` */
export function formatRowFault(
  name: string,
  fault: RowPlace & { readonly pointer: string; readonly message: string },
): string {
  const { pointer, message } = fault
  return [formatRowPlace(name, fault), ...(pointer === "" ? [] : [printable(pointer)]), printable(message)].join(" ")
}
