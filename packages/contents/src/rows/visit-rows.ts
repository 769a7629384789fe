import type { ColumnTypes } from "../csv/column-types.ts"
import { createRecordReader } from "../csv/read-record.ts"
import { readJson } from "../json/read-json.ts"
import { tooLong } from "./row-limits.ts"
import { rowsIn, type RowBlock } from "./row-block.ts"
import type { RowHead } from "./row-head.ts"
import type { RowReading } from "./row-reading.ts"
import { ownTextsOf, textsOf, utf8Fault } from "./row-text.ts"
import type { Row } from "./row.ts"

/** Calls `visit` with each row of `block`, in order. A row can be forgotten as soon as `visit` returns. */
export function visitRows(block: RowBlock, typesOf: ColumnTypes, visit: (row: Row) => void): void {
  const { bytes, bounds, maxRowBytes, rowIndex, line, offset } = block
  const read = rowReader(block.head, typesOf)
  // What is parsed as JSON has strings of its own; fields are parts of their record.
  const textOf = block.head.encoding === "csv" ? ownTextsOf(block) : textsOf(block)
  for (let index = 0, count = rowsIn(block); index < count; index++) {
    const start = bounds[3 * index] ?? 0
    const end = bounds[3 * index + 1] ?? 0
    const place = { row_index: rowIndex + index, line: line + (bounds[3 * index + 2] ?? 0), offset: offset + start }
    if (end - start > maxRowBytes) {
      visit({ ...place, row: null, fault: tooLong(maxRowBytes) })
      continue
    }
    const text = textOf(start, end)
    const { row, fault } = text === null ? unreadable(utf8Fault(bytes.subarray(start, end))) : read(text)
    visit(fault === null ? { ...place, row, fault } : { ...place, row: null, fault })
  }
}

function unreadable(fault: string): RowReading {
  return { row: null, fault }
}

function rowReader(head: RowHead, typesOf: ColumnTypes): (text: string) => RowReading {
  if (head.encoding !== "csv") return readJson
  return createRecordReader(head.columns ?? [], head.delimiter, typesOf)
}
