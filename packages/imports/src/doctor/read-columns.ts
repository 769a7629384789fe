import { openRows } from "@assay/contents"
import { isObject, nearestNumbers, readNumber } from "@assay/json"
import { AssayError } from "@assay/schemas/errors"
import { openRowFile } from "../open-row-file.ts"

/** A row whose fields have dotted names. */
export type FlatRow = ReadonlyMap<string, unknown>

/** The kinds of values in a column. */
export interface ColumnFacts {
  readonly name: string
  /** Rows with a value. */
  readonly filled: number
  /** Rows whose value is a number, or a word that is one. */
  readonly numbers: number
  readonly low: number
  readonly high: number
  /** Different values; at most the limit. */
  readonly distinct: ReadonlySet<string>
  /** Mean characters of a value. */
  readonly length: number
}

export interface ReadColumns {
  readonly rows: readonly FlatRow[]
  readonly columns: readonly ColumnFacts[]
  /** Lines that are not rows. */
  readonly unreadable: number
  /** Whether the file has more rows than are read. */
  readonly isCut: boolean
}

/** Rows and characters of values that are read. */
const MAX_ROWS = 200_000
const MAX_CHARACTERS = 64 * 1024 * 1024
const MAX_COLUMNS = 300
const MAX_DEPTH = 4
/** Different values of a column that are counted. */
export const MAX_DISTINCT = 5000

/** Words of results as numbers. */
const WORDS: Readonly<Record<string, number>> = {
  true: 1,
  false: 0,
  yes: 1,
  no: 0,
  pass: 1,
  passed: 1,
  fail: 0,
  failed: 0,
  correct: 1,
  incorrect: 0,
  right: 1,
  wrong: 0,
  c: 1,
  i: 0,
}

/** Returns a value as a number; undefined if it is not one. */
export function numberOfValue(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value !== "string") return undefined
  const word = value.trim().toLowerCase()
  return Object.hasOwn(WORDS, word) ? WORDS[word] : readNumber(word)
}

/** Reads the rows of a file with results, and what its columns contain. @throws `bad_document` if it has no rows; `not_found` */
export async function readColumns(path: string, name: string, signal: AbortSignal): Promise<ReadColumns> {
  const { storage, path: inside } = openRowFile(path, name)
  const rows: FlatRow[] = []
  let unreadable = 0
  let characters = 0
  let fault = ""
  let isCut = false
  reading: for await (const batch of openRows(storage, inside, { numbers: "value", signal })) {
    for (const row of batch) {
      if (row.fault !== null || !isObject(row.row)) {
        unreadable += 1
        if (fault === "") fault = `${name}:${row.line ?? 1}:1: The row ${row.fault ?? "is not an object"}.`
        continue
      }
      const flat = new Map<string, unknown>()
      characters += flatten(nearestNumbers(row.row), { prefix: "", depth: 0, into: flat })
      if (rows.length >= MAX_ROWS || characters > MAX_CHARACTERS) {
        isCut = true
        break reading
      }
      rows.push(flat)
    }
  }
  if (rows.length === 0) throw new AssayError("bad_document", fault === "" ? `${name} has no rows.` : fault)
  return { rows, columns: factsOf(rows), unreadable, isCut }
}

interface Flattening {
  readonly prefix: string
  readonly depth: number
  readonly into: Map<string, unknown>
}

/** Adds the fields of an object under dotted names. Returns the characters of its values. */
function flatten(value: unknown, { prefix, depth, into }: Flattening): number {
  let characters = 0
  for (const [key, part] of Object.entries(value as object)) {
    if (into.size >= MAX_COLUMNS) break
    const name = `${prefix}${key}`.slice(0, 200)
    if (isObject(part) && depth < MAX_DEPTH) characters += flatten(part, { prefix: `${name}.`, depth: depth + 1, into })
    else if (part !== null && part !== undefined && part !== "") {
      const shown = typeof part === "object" ? JSON.stringify(part) : part
      characters += typeof shown === "string" ? shown.length + 16 : 16
      into.set(name, shown)
    }
  }
  return characters
}

interface Tally {
  filled: number
  numbers: number
  low: number
  high: number
  length: number
  readonly distinct: Set<string>
}

function factsOf(rows: readonly FlatRow[]): readonly ColumnFacts[] {
  const tallies = new Map<string, Tally>()
  for (const row of rows) {
    for (const [name, value] of row) {
      const known = tallies.get(name)
      if (known === undefined && tallies.size >= MAX_COLUMNS) continue
      const tally = known ?? { filled: 0, numbers: 0, low: Infinity, high: -Infinity, length: 0, distinct: new Set() }
      tallies.set(name, tally)
      count(tally, value)
    }
  }
  return [...tallies].map(([name, { length, ...tally }]) => ({ name, ...tally, length: length / tally.filled }))
}

function count(tally: Tally, value: unknown): void {
  const text = String(value)
  tally.filled += 1
  tally.length += text.length
  if (tally.distinct.size < MAX_DISTINCT) tally.distinct.add(text.slice(0, 200))
  const number = numberOfValue(value)
  if (number === undefined) return
  tally.numbers += 1
  tally.low = Math.min(tally.low, number)
  tally.high = Math.max(tally.high, number)
}
