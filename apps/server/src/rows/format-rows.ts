import type { FoundRows, Row } from "@assay/contents"
import { isExactNumber, isObject } from "@assay/json"
import { formatCsv, type CsvCell } from "@assay/reports"

interface RowsFormat {
  /** The rows that are written. Undefined: all. */
  readonly found: FoundRows | undefined
  readonly format: "csv" | "jsonl"
  /** Undefined: all columns of the first batch of rows. */
  readonly columns: readonly string[] | undefined
}

/** Rows that name the columns. */
const HEAD_ROWS = 1000
/** Positions that are looked up at a time. */
const FOUND_PART = 10_000

/** Writes rows as CSV with a line of titles, or as JSON lines with all digits of numbers. Rows that can't be read are left out. */
export async function* formatRows(
  batches: AsyncIterable<{ readonly rows: readonly Row[] }>,
  { found, format, columns }: RowsFormat,
): AsyncGenerator<string, void, undefined> {
  const isFound = found === undefined ? () => true : createMembership(found)
  let names = columns
  let isFirst = true
  for await (const { rows } of batches) {
    const values = rows.flatMap((row) => (row.fault === null && isFound(row.row_index) ? [row.row] : []))
    if (values.length === 0) continue
    if (format === "jsonl") {
      yield values.map((value) => `${JSON.stringify(columns === undefined ? value : part(value, columns))}\n`).join("")
      continue
    }
    names ??= columnsOf(values)
    const shown = names
    const lines = values.map((value) => shown.map((name) => cellOf(isObject(value) ? value[name] : undefined)))
    yield formatCsv(isFirst ? [shown, ...lines] : lines)
    isFirst = false
  }
  // An empty answer would have no status.
  if (isFirst) yield format === "csv" && names !== undefined ? formatCsv([names]) : ""
}

function part(value: unknown, columns: readonly string[]): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(columns.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])))
}

function columnsOf(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.slice(0, HEAD_ROWS).flatMap((value) => (isObject(value) ? Object.keys(value) : [])))]
}

function cellOf(value: unknown): CsvCell {
  if (isExactNumber(value)) return value.rawJSON
  return typeof value === "object" && value !== null ? JSON.stringify(value) : (value as CsvCell)
}

/** Returns a function that says of ascending indexes whether each is found. */
function createMembership(found: FoundRows): (index: number) => boolean {
  let position = 0
  let part: readonly number[] = []
  let at = 0
  return (index) => {
    for (;;) {
      if (at >= part.length) {
        position += part.length
        part = found.slice(position, position + FOUND_PART)
        at = 0
        if (part.length === 0) return false
      }
      const next = part[at] ?? 0
      if (next === index) {
        at += 1
        return true
      }
      if (next > index) return false
      at += 1
    }
  }
}
