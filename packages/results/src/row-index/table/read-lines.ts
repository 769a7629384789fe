import type { EvaluationRow } from "@assay/schemas"
import { mayChange, parseJsonExactly } from "@assay/json"
import { isWholeRow } from "./is-whole-row.ts"
import type { JournalPiece } from "./journal-position.ts"
import { rowFacts } from "./row-facts.ts"
import type { LocatedRow } from "./row-table.ts"

const NEWLINE = 10

/** Reads the rows of whole lines. A line that is not a row is skipped. */
export function* locatedRows({ record, offset, bytes }: JournalPiece): Generator<LocatedRow, void> {
  for (const { start, length, row } of rowsIn(bytes)) {
    yield { record, start: offset + start, length, facts: rowFacts(row) }
  }
}

interface RowInBytes {
  readonly start: number
  readonly length: number
  readonly row: EvaluationRow
}

function* rowsIn(piece: Uint8Array): Generator<RowInBytes, void> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  let start = 0
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const row = parseRow(bytes.toString("utf8", start, end))
    if (row !== undefined) yield { start, length: end - start, row }
    start = end + 1
  }
}

/** Yields what `read` returns for each row of a piece. */
export function* readEachRow<T>(read: (row: EvaluationRow) => T, { bytes }: JournalPiece): Generator<T, void> {
  for (const { row } of rowsIn(bytes)) yield read(row)
}

function parseRow(line: string): EvaluationRow | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isWholeRow(value)) return undefined
    return mayChange(line) ? { ...value, item: (parseJsonExactly(line) as EvaluationRow).item } : value
  } catch {
    return undefined
  }
}
