import { setImmediate } from "node:timers/promises"
import type { FoundRows, Row } from "@assay/contents"
import { isExactNumber, isObject } from "@assay/json"
import { formatCsv, type CsvCell } from "@assay/reports"
import { AssayError } from "@assay/schemas/errors"

/** Rows of a file that match. */
export interface ExportedRows {
  /** The rows that are written. Undefined: all. */
  readonly found: FoundRows | undefined
}

interface RowsFormat extends ExportedRows {
  readonly format: "csv" | "jsonl"
  /** Undefined: all values of each row, as JSON lines. */
  readonly columns: readonly string[] | undefined
}

type RowBatches = AsyncIterable<{ readonly rows: readonly Row[] }>

/** Positions that are looked up at a time. */
const FOUND_PART = 10_000
/** Maximum number of columns, the same as for reading CSV. */
const MAX_COLUMNS = 10_000
/** Number of cells that are written in one step, so that a table with many columns does not hold the thread. */
const CELLS_OF_STEP = 50_000
/** A table with more cells than this has at most `MAX_SPARSE` empty cells for each value. */
const MANY_CELLS = 10_000_000
const MAX_SPARSE = 20

/**
 * Returns the columns of all rows that match, in the order in which they are found.
 * @throws `bad_request` if CSV can't have them: more than 10,000, or so many that most cells would be empty
 */
export async function columnsOf(batches: RowBatches, { found }: ExportedRows): Promise<readonly string[]> {
  const names = new Set<string>()
  let count = 0
  let values = 0
  for await (const batch of valuesOf(batches, found)) {
    for (const value of batch) {
      count += 1
      if (!isObject(value)) continue
      const keys = Object.keys(value)
      values += keys.length
      for (const key of keys) names.add(key)
      if (names.size > MAX_COLUMNS) throw tooWide(`more than ${MAX_COLUMNS} columns`)
    }
  }
  const cells = count * names.size
  if (cells > MANY_CELLS && cells > MAX_SPARSE * values) {
    throw tooWide(`${names.size} columns in ${count} rows, and only ${values} values`)
  }
  return [...names]
}

function tooWide(what: string): AssayError {
  const message = `The rows have ${what}, which is no table for CSV: name the columns, or take JSON lines.`
  return new AssayError("bad_request", message)
}

/** Writes rows as CSV with a line of titles, or as JSON lines with all digits of numbers. Rows that can't be read are left out. */
export async function* formatRows(
  batches: RowBatches,
  { found, format, columns }: RowsFormat,
): AsyncGenerator<string, void, undefined> {
  if (format === "csv") {
    yield* formatTable(valuesOf(batches, found), columns ?? [])
    return
  }
  let isFirst = true
  for await (const values of valuesOf(batches, found)) {
    yield values.map((value) => `${JSON.stringify(columns === undefined ? value : part(value, columns))}\n`).join("")
    isFirst = false
  }
  // An empty answer would have no status.
  if (isFirst) yield ""
}

async function* formatTable(
  batches: AsyncIterable<readonly unknown[]>,
  columns: readonly string[],
): AsyncGenerator<string, void, undefined> {
  yield columns.length === 0 ? "" : formatCsv([columns])
  const step = Math.max(1, Math.floor(CELLS_OF_STEP / Math.max(1, columns.length)))
  for await (const values of batches) {
    for (let at = 0; at < values.length; at += step) {
      yield formatCsv(values.slice(at, at + step).map((value) => columns.map((name) => cellOf(value, name))))
      // Writing resolves without a pause as long as the client reads fast.
      await setImmediate()
    }
  }
}

/** Returns the values of the rows that match, without batches that have none. */
async function* valuesOf(
  batches: RowBatches,
  found: FoundRows | undefined,
): AsyncGenerator<readonly unknown[], void, undefined> {
  const isFound = found === undefined ? () => true : createMembership(found)
  for await (const { rows } of batches) {
    const values = rows.flatMap((row) => (row.fault === null && isFound(row.row_index) ? [row.row] : []))
    if (values.length > 0) yield values
  }
}

function part(value: unknown, columns: readonly string[]): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(columns.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])))
}

function cellOf(row: unknown, name: string): CsvCell {
  const value = isObject(row) && Object.hasOwn(row, name) ? row[name] : undefined
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
