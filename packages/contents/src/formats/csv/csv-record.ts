import { isExactNumber, type KeptNumbers } from "@assay/json"
import type { Cut } from "../../reading/cut-blocks.ts"
import { createPositions, rowsIn, type RowBlock, type RowHead } from "../../rows/row-block.ts"
import { charsetFault, ownTextsOf } from "../../rows/row-text.ts"
import type { RowReading } from "../../rows/row.ts"
import type { ColumnTypes, TypeSet } from "../../schemas/column-types.ts"
import type { CsvDialect } from "./csv-dialect.ts"
import { readField } from "./read-field.ts"

/** Creates a function that parses a record into a row: an object with one property per column. */
export function createRecordReader(
  columns: readonly string[],
  dialect: CsvDialect,
  { typesOf, kept }: { readonly typesOf: ColumnTypes; readonly kept: KeptNumbers },
): (text: string) => RowReading {
  const wanted = columns.map((name): readonly [string, TypeSet] => [name, typesOf(name)])
  const { decimal } = dialect
  return (text) => {
    const split = splitRecord(text, dialect)
    if (split.fields === null) return { row: null, fault: split.fault }
    const { fields } = split
    if (fields.length !== columns.length) {
      const count = `has ${fields.length} field${fields.length === 1 ? "" : "s"}`
      return { row: null, fault: `${count}, and the header names ${columns.length}` }
    }
    const row: Record<string, unknown> = {}
    let isExact = false
    for (const [index, [name, types]] of wanted.entries()) {
      const value = readField(fields[index] ?? "", types, { kept, decimal })
      if (value === undefined) continue
      isExact ||= hasExact(value)
      if (name === "__proto__") defineOwn(row, name, value)
      else row[name] = value
    }
    return isExact ? { row, fault: null, hasExact: true } : { row, fault: null }
  }
}

/**
 * Returns whether a value contains exact numbers. Arrays and objects are rare in CSV, so they always count as if they
 * did.
 */
function hasExact(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && (isExactNumber(value) || !Array.isArray(value) || value.length > 0)
  )
}

/** Defines an own property. An assignment to `__proto__` would set the prototype. */
function defineOwn(row: object, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The fields of a record, or its fault. */
type SplitRecord =
  | { readonly fields: readonly string[]; readonly fault: null }
  | { readonly fields: null; readonly fault: string }

/** Splits one CSV record (RFC 4180), without its line end. */
export function splitRecord(text: string, { delimiter, hasQuotes }: Omit<CsvDialect, "decimal">): SplitRecord {
  if (!hasQuotes || !text.includes('"')) return { fields: text.split(delimiter), fault: null }
  const fields: string[] = []
  let at = 0
  for (;;) {
    let end = text.indexOf(delimiter, at)
    if (text[at] === '"') {
      const close = closingQuote(text, at)
      if (close === -1) return faulty(fields, "has a quote that is never closed")
      end = close + 1
      if (end < text.length && text[end] !== delimiter)
        return faulty(fields, "continues after its closing quote; double a quote inside an enclosed field")
      fields.push(unquoted(text.slice(at + 1, close)))
    } else {
      if (end === -1) end = text.length
      const field = text.slice(at, end)
      if (/^ +"/.test(field)) return faulty(fields, "has a space before its quote; remove the space")
      if (field.includes('"')) return faulty(fields, "has a quote inside; quote the field, and double the quote")
      fields.push(field)
    }
    if (end === text.length) return { fields, fault: null }
    at = end + 1
  }
}

/**
 * Minimum length of a field that is unquoted in one pass over a buffer: 16 MiB of quotes would make millions of string
 * pieces.
 */
const LONG_FIELD = 64 * 1024
const QUOTE = 34
const CHARACTERS_COMPARED = 32

/** Replaces each doubled quote in `field` by one quote. */
function unquoted(field: string): string {
  if (field.length < LONG_FIELD) return field.replaceAll('""', '"')
  if (!field.includes('"')) return field
  const bytes = Buffer.from(field, "utf16le")
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, field.length)
  let length = 0
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    units[length++] = unit
    if (unit === QUOTE && units[at + 1] === QUOTE) at++
  }
  return bytes.toString("utf16le", 0, 2 * length)
}

/**
 * Returns the index of the quote that closes the one at `open`, or -1. Two quotes in a row are one quote of the text.
 */
function closingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1)
  while (at !== -1 && text.charCodeAt(at + 1) === QUOTE) {
    at += 2
    // Starting a search costs more than comparing a few characters, and a field can hold millions of quotes.
    const limit = Math.min(at + CHARACTERS_COMPARED, text.length)
    while (at < limit && text.charCodeAt(at) !== QUOTE) at++
    if (at === limit) at = text.indexOf('"', at)
  }
  return at
}

function faulty(before: readonly string[], fault: string): SplitRecord {
  return { fields: null, fault: `is not CSV: field ${before.length + 1} ${fault}` }
}

/** The head of a CSV file before its columns are known. */
export type CsvHead = Extract<RowHead, { readonly encoding: "csv" }>

/** Maximum number of columns. Each row becomes an object with one key per column. */
const MAX_COLUMNS = 10_000

/**
 * Removes the first record from the blocks of a CSV file and attaches its names to the blocks. If the header can't be
 * read, the file ends with that fault.
 */
export async function* takeHeader(
  cuts: AsyncGenerator<Cut, void, undefined>,
  before: CsvHead,
): AsyncGenerator<Cut, void, undefined> {
  let columns: readonly string[] | undefined
  for await (const cut of cuts) {
    if (columns !== undefined) {
      yield "bounds" in cut ? { ...cut, head: { ...before, columns } } : cut
      continue
    }
    if (!("bounds" in cut)) {
      yield { ...cut, row_index: 0 }
      return
    }
    const read = readColumns(cut, before)
    if (typeof read === "string") {
      yield { row_index: 0, ...locationOfFirst(cut), row: null, fault: read, isOfFile: true }
      return
    }
    columns = read
    const block = { ...cut, head: { ...before, columns } }
    if (rowsIn(cut) > 1) yield { ...block, bounds: cut.bounds.slice(3), rowIndex: 0 }
  }
}

/** Returns the names in the first record of `block`, or the fault of the header. */
function readColumns(block: RowBlock, head: CsvHead): readonly string[] | string {
  const [start = 0, end = 0] = block.bounds
  const text = ownTextsOf(block)(start, end)
  if (text === null) return `is a header that ${charsetFault(block.bytes.subarray(start, end), head)}`
  const { fields, fault } = splitRecord(text, head.dialect)
  if (fields === null) return `is a header that ${fault}`
  if (fields.length > MAX_COLUMNS) return `is a header that names ${fields.length} columns; ${MAX_COLUMNS} are allowed`
  if (fields[0]?.startsWith("\ufeff") === true)
    return "is a header that begins with a second byte order mark; remove it"
  const names = new Set<string>()
  const twice = fields.find((name) => names.size === names.add(name).size)
  return twice === undefined ? fields : `is a header that names the column '${twice}' twice`
}

function locationOfFirst(block: RowBlock) {
  const { line, bounds } = block
  return { line: line + (bounds[2] ?? 0), offset: createPositions(block)(bounds[0] ?? 0) }
}
