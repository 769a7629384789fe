import type { KeptNumbers, NumberFinder } from "@assay/json"
import { createRecordReader } from "../formats/csv/csv-record.ts"
import { readJson, readPlainJson, refuseDuplicateKeys, type RowLimits } from "../formats/json/read-json.ts"
import { createPositions, rowsIn, tooLongFault, type RowBlock, type RowHead } from "../rows/row-block.ts"
import { charsetFault, ownTextsOf, textsOf } from "../rows/row-text.ts"
import type { RowReading, Row } from "../rows/row.ts"
import type { ColumnTypes } from "../schemas/column-types.ts"

export interface VisitOptions {
  readonly typesOf: ColumnTypes
  /** Whether numbers keep their text or only their value. */
  readonly kept: KeptNumbers
  /** Can be reused for any number of blocks. */
  readonly finder: NumberFinder
  /** Limits of the JSON of a row. Default: those of datasets. */
  readonly limits?: RowLimits | undefined
}

/** Calls `visit` with each row of `block`, in order. Nothing holds on to a row after `visit` returns. */
export function visitRows(block: RowBlock, options: VisitOptions, visit: (row: Row) => void): void {
  const { bounds, maxRowBytes, rowIndex, line } = block
  const bytes = Buffer.from(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength)
  const read = rowReader(block.head, bytes, options)
  // Parsed JSON has strings of its own, but CSV fields are slices of their record.
  const rowText = block.head.encoding === "csv" ? ownTextsOf(block) : textsOf(block)
  const positionOf = createPositions(block)
  for (let index = 0, count = rowsIn(block); index < count; index++) {
    const start = bounds[3 * index] ?? 0
    const end = bounds[3 * index + 1] ?? 0
    const location = {
      row_index: rowIndex + index,
      line: line + (bounds[3 * index + 2] ?? 0),
      offset: positionOf(start),
    }
    if (end - start > maxRowBytes) {
      visit({ ...location, row: null, fault: tooLongFault(maxRowBytes) })
      continue
    }
    const text = rowText(start, end)
    if (text === null) {
      visit({ ...location, row: null, fault: charsetFault(bytes.subarray(start, end), block.head), isOfFile: true })
      continue
    }
    const reading = read(text, start, end)
    // Written out, because copying every property of a reading takes a noticeable part of the parsing time.
    if (reading.fault !== null) visit({ ...location, row: null, fault: reading.fault })
    else if (reading.hasExact === true) visit({ ...location, row: reading.row, fault: null, hasExact: true })
    else visit({ ...location, row: reading.row, fault: null })
  }
}

/** Parses the text of a row, which is at `start` to `end` in the bytes of the block. Called in order. */
type ReadRow = (text: string, start: number, end: number) => RowReading

function rowReader(head: RowHead, bytes: Buffer, { typesOf, kept, finder, limits }: VisitOptions): ReadRow {
  if (head.encoding === "csv") return createRecordReader(head.columns ?? [], head.dialect, { typesOf, kept })
  const suspectsIn = finder.open(bytes, kept)
  return (text, start, end) => {
    const suspects = suspectsIn(start, end)
    if (suspects.length === 0) return refuseDuplicateKeys(readPlainJson(text, limits), text)
    // Byte offsets are character offsets if all characters are ASCII.
    return refuseDuplicateKeys(readJson(text, kept, text.length === end - start ? suspects : undefined, limits), text)
  }
}
