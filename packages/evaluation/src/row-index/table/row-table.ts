import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRowValues, type RowValues } from "../../journal/row-values.ts"
import { type Column, type ColumnKind, type ColumnNumbers, openColumn } from "./column.ts"
import { type JournalPosition, START } from "./journal-position.ts"
import { createRowExtents, type RowExtents } from "./row-extents.ts"
import type { RowFacts } from "./row-facts.ts"
import { createTextCodes, type TextCodes } from "./text-codes.ts"

/** Where the line of a row is in the journal of its job, in bytes and without the line end. */
export interface LinePlace {
  /** The number of the journal's record. A journal that is one file is record 0. */
  readonly record: number
  readonly start: number
  readonly length: number
}

/** A row of a journal. */
export interface PlacedRow extends LinePlace {
  readonly facts: RowFacts
}

/** The facts about the rows of one job, in columns. An entry is a row of the journal. A later attempt replaces an earlier one. */
export interface RowTable {
  /** Number of entries, including replaced ones. */
  readonly count: number
  /** The table has the journal up to here. */
  readonly position: JournalPosition
  /** The scores that rows have, as `metric.score`. */
  readonly scores: readonly string[]
  /**
   * Adds entries, and the position after them. They outlive this process after `save`.
   * @throws `rows_invalid` if their row numbers are too large, after which the table is unchanged
   */
  add(rows: readonly PlacedRow[], position: JournalPosition): void
  save(): void
  numbers(name: FixedColumn): ColumnNumbers
  /** Returns the numbers of a score, or undefined if no row has it. */
  scoreNumbers(score: string): ColumnNumbers | undefined
  codes(name: TextColumn): TextCodes
  /** Returns the entries that count, by task, row and repeat. */
  order(): RowOrder
  /** Returns the entry that counts for a row, or undefined. */
  find(task: string, row: number, repeat: number): number | undefined
  /** Bytes in memory. */
  size(): number
  /** Drops what can be read again. */
  forget(): void
  close(): void
}

/** The entries that count, in the order of the dataset. */
export interface RowOrder {
  readonly entries: Uint32Array
  /** By task: where its entries begin and end in `entries`. */
  readonly ranges: ReadonlyMap<string, { readonly from: number; readonly to: number }>
}

/** Columns whose numbers stand for texts. */
const TEXTS = ["task", "error", "condition", "verdict"] as const
export type TextColumn = (typeof TEXTS)[number]

const COLUMNS = {
  record: "f64",
  start: "f64",
  length: "u32",
  row: "u32",
  repeat: "u16",
  attempt: "u32",
  latency: "f64",
  /** 1: a later attempt has replaced the entry. */
  replaced: "u8",
  task: "u16",
  error: "u16",
  condition: "u16",
  verdict: "u16",
  digest: "f64",
} as const satisfies Record<string, ColumnKind>
export type FixedColumn = keyof typeof COLUMNS

/** Changes with the meaning of the columns. Tables of other versions are made again. */
const VERSION = 2
/** More scores are left out. */
const MAX_SCORES = 1000

interface SavedTable {
  readonly version: number
  readonly count: number
  readonly position: JournalPosition
  readonly scores: readonly string[]
  readonly texts: Readonly<Record<TextColumn, readonly string[]>>
}

/** Opens the table in a folder that only one thread uses. A damaged table, or one of another version, is replaced by an empty one. */
export function openRowTable(folder: string): RowTable {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const saved = readSaved(folder)
  const columns = mapOf(COLUMNS, (kind, name) => openColumn(join(folder, name), kind, saved === undefined))
  const scorePath = (place: number) => join(folder, `score-${place}`)
  const scores = new Map(
    saved?.scores.map((score, place) => [score, openColumn(scorePath(place), "f64", false)] as const),
  )
  const texts = Object.fromEntries(TEXTS.map((name) => [name, createTextCodes(saved?.texts[name])])) as Record<
    TextColumn,
    TextCodes
  >
  const all = (): readonly Column[] => [...Object.values(columns), ...scores.values()]
  let { count, position } = saved ?? { count: 0, position: START }
  let newest: Map<string, RowValues> | undefined
  let extents: RowExtents | undefined
  let order: { readonly of: number; readonly order: RowOrder } | undefined

  const numbers = (name: FixedColumn): ColumnNumbers => columns[name].values(count)

  /** Returns, for each task, the entry that counts for each row and repeat. */
  function newestEntries(): Map<string, RowValues> {
    if (newest !== undefined) return newest
    newest = new Map()
    const [task, row, repeat, replaced] = [numbers("task"), numbers("row"), numbers("repeat"), numbers("replaced")]
    for (let entry = 0; entry < count; entry++) {
      if (replaced[entry] === 1) continue
      entriesOf(texts.task.textOf(task[entry] ?? 0)).set(row[entry] ?? 0, repeat[entry] ?? 0, entry)
    }
    return newest
  }

  function entriesOf(task: string): RowValues {
    const entries = newestEntries()
    const known = entries.get(task) ?? createRowValues()
    entries.set(task, known)
    return known
  }

  /** Notes the entries of new rows. Returns which of them a later one of these rows replaces. */
  function replaceOlder(rows: readonly PlacedRow[]): Uint8Array {
    const replaced = new Uint8Array(rows.length)
    for (const [place, { facts }] of rows.entries()) {
      const entries = entriesOf(facts.task)
      const before = entries.get(facts.row, facts.repeat)
      entries.set(facts.row, facts.repeat, count + place)
      if (before >= count) replaced[before - count] = 1
      else if (before >= 0) columns.replaced.write(before, [1])
    }
    return replaced
  }

  function scoreColumn(score: string): Column | undefined {
    const known = scores.get(score)
    if (known !== undefined || scores.size >= MAX_SCORES) return known
    const column = openColumn(scorePath(scores.size), "f64", true)
    column.write(0, new Float64Array(count).fill(Number.NaN))
    scores.set(score, column)
    return column
  }

  function writeScores(rows: readonly PlacedRow[]): void {
    for (const { facts } of rows) for (const [score] of facts.scores) scoreColumn(score)
    const values = new Map([...scores.keys()].map((score) => [score, new Float64Array(rows.length).fill(Number.NaN)]))
    for (const [place, { facts }] of rows.entries()) {
      for (const [score, value] of facts.scores) values.get(score)?.fill(value, place, place + 1)
    }
    for (const [score, column] of scores) column.write(count, values.get(score) ?? [])
  }

  return {
    get count() {
      return count
    },
    get position() {
      return position
    },
    get scores() {
      return [...scores.keys()]
    },
    add(rows, next) {
      extents ??= createRowExtents(newestEntries())
      for (const { facts } of rows) extents.add(facts)
      columns.replaced.write(count, replaceOlder(rows))
      const write = (name: FixedColumn, valueOf: (row: PlacedRow) => number) =>
        columns[name].write(count, rows.map(valueOf))
      for (const name of ["record", "start", "length"] as const) write(name, (row) => row[name])
      for (const name of ["row", "repeat", "attempt", "latency", "digest"] as const)
        write(name, (row) => row.facts[name])
      for (const name of TEXTS) write(name, (row) => texts[name].add(row.facts[name]))
      writeScores(rows)
      count += rows.length
      position = next
    },
    save() {
      const listed = Object.fromEntries(TEXTS.map((name) => [name, texts[name].list()])) as SavedTable["texts"]
      const table: SavedTable = { version: VERSION, count, position, scores: [...scores.keys()], texts: listed }
      const path = join(folder, SAVED)
      writeFileSync(`${path}.new`, JSON.stringify(table), { mode: 0o600 })
      renameSync(`${path}.new`, path)
    },
    numbers,
    scoreNumbers: (score) => scores.get(score)?.values(count),
    codes: (name) => texts[name],
    order() {
      if (order?.of !== count) order = { of: count, order: orderOf(texts.task.list(), newestEntries(), count) }
      return order.order
    },
    find(task, row, repeat) {
      const entry = newestEntries().get(task)?.get(row, repeat) ?? Number.NaN
      return Number.isNaN(entry) ? undefined : entry
    },
    size: () =>
      all().reduce((sum, column) => sum + column.size(), 0) +
      (newest === undefined ? 0 : count * 8) +
      (order?.order.entries.byteLength ?? 0),
    forget() {
      for (const column of all()) column.forget()
      newest = undefined
      order = undefined
    },
    close() {
      for (const column of all()) column.close()
    },
  }
}

function orderOf(tasks: readonly string[], newest: ReadonlyMap<string, RowValues>, count: number): RowOrder {
  const entries = new Uint32Array(count)
  const ranges = new Map<string, { from: number; to: number }>()
  let end = 0
  for (const task of tasks) {
    const values = newest.get(task)
    if (values === undefined) continue
    const from = end
    const { rows, repeats } = values
    for (let row = 0; row < rows; row++) {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const entry = values.get(row, repeat)
        if (entry >= 0) entries[end++] = entry
      }
    }
    ranges.set(task, { from, to: end })
  }
  return { entries: entries.subarray(0, end), ranges }
}

const SAVED = "table.json"

function readSaved(folder: string): SavedTable | undefined {
  try {
    const saved = JSON.parse(readFileSync(join(folder, SAVED), "utf8")) as SavedTable
    return saved.version === VERSION ? saved : undefined
  } catch {
    return undefined
  }
}

function mapOf<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  to: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = (Object.entries(record) as [Name, From][]).map(([name, value]) => [name, to(value, name)])
  return Object.fromEntries(entries) as Record<Name, To>
}
