import type { EvaluationRow } from "@assay/schemas"
import { isExactNumber, mayChange, parseJsonExactly } from "@assay/schemas/numbers"
import { isWholeRow } from "./is-whole-row.ts"
import { rowFacts } from "./row-facts.ts"
import type { PlacedRow } from "./row-table.ts"

/** Whole lines of a journal, and where they begin. */
export interface JournalPiece {
  readonly record: number
  readonly offset: number
  readonly bytes: Uint8Array
}

const NEWLINE = 10

/** Reads the rows of whole lines. A line that is not a row is skipped. */
export function* placedRows({ record, offset, bytes }: JournalPiece): Generator<PlacedRow, void> {
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

/** Returns, for each row of a piece, whether its item or output contains `part`, which is in lower case. */
export function* rowsWith(part: string, { bytes }: JournalPiece): Generator<boolean, void> {
  for (const { row } of rowsIn(bytes)) yield hasText(row, part)
}

function hasText({ item, sample }: EvaluationRow, part: string): boolean {
  return (sample?.output_text ?? "").toLowerCase().includes(part) || valueHas(item, part)
}

function valueHas(value: unknown, part: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(part)
  if (typeof value === "number" || typeof value === "boolean") return String(value).includes(part)
  if (isExactNumber(value)) return value.rawJSON.includes(part)
  if (typeof value !== "object" || value === null) return false
  return Object.values(value).some((inner) => valueHas(inner, part))
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
