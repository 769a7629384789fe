import type { Row } from "../rows/row.ts"

/** A row out of the text that the reader of Parquet gives, where a string stands for a row that can't be read. */
export function toParquetRow(value: unknown, row_index: number): Row {
  const place = { row_index, line: null, offset: null }
  return typeof value === "string" ? { ...place, row: null, fault: value } : { ...place, row: value, fault: null }
}
