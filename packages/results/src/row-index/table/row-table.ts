import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { systemCode } from "@assay/storage/paths"
import { createRowValues, type RowValues } from "../../rows/row-values.ts"
import { type Column, type ColumnKind, type ColumnNumbers, openColumn } from "./column.ts"
import { type JournalPosition, type JournalTail, START } from "./journal-position.ts"
import { createRowExtents, type RowExtents } from "./row-extents.ts"
import type { RowFacts } from "./row-facts.ts"
import { openColumns, readSaved, type SavedTable, writeSaved } from "./saved-table.ts"
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
  /** What is in the journal before `position`. Undefined before the first entries. */
  readonly tail: JournalTail | undefined
  /** The scores that rows have, as `metric.score`. */
  readonly scores: readonly string[]
  /**
   * Adds entries, and the end of the journal after them. They outlive this process after `save`. After an error of the system, the table
   * has to be closed.
   * @throws `rows_invalid` if their row numbers are too large, after which the table is unchanged
   */
  add(rows: readonly PlacedRow[], position: JournalPosition, tail: JournalTail): void
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
  task: "u16",
  error: "u16",
  condition: "u16",
  verdict: "u16",
  digest: "f64",
} as const satisfies Record<string, ColumnKind>
export type FixedColumn = keyof typeof COLUMNS

/** More scores are left out. */
const MAX_SCORES = 1000

/**
 * Opens the table in a folder that only one thread uses. A table that is damaged, as after a power failure, or of another version is replaced
 * by an empty one.
 */
export function openRowTable(folder: string): RowTable {
  makeFolder(folder)
  const { saved, columns } = openFiles(folder)
  const scores = new Map(saved?.scores.map((score, place) => [score, columnAt(columns, scoreName(place))] as const))
  const texts = Object.fromEntries(TEXTS.map((name) => [name, createTextCodes(saved?.texts[name])])) as Record<
    TextColumn,
    TextCodes
  >
  let { count, position, tail } = saved ?? { count: 0, position: START, tail: undefined }
  let newest: Map<string, RowValues> | undefined
  let extents: RowExtents | undefined
  let order: { readonly of: number; readonly order: RowOrder } | undefined

  const numbers = (name: FixedColumn): ColumnNumbers => columnAt(columns, name).values(count)

  /** Returns, for each task, the entry that counts for each row and repeat: the last one. */
  function newestEntries(): Map<string, RowValues> {
    if (newest !== undefined) return newest
    newest = new Map()
    const [task, row, repeat] = [numbers("task"), numbers("row"), numbers("repeat")]
    for (let entry = 0; entry < count; entry++) {
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

  function scoreColumn(score: string): Column | undefined {
    const known = scores.get(score)
    if (known !== undefined || scores.size >= MAX_SCORES) return known
    const name = scoreName(scores.size)
    const column = openColumn(join(folder, name), "f64")
    if (column === undefined) return undefined
    columns.set(name, column)
    column.append(new Float64Array(count).fill(Number.NaN))
    scores.set(score, column)
    return column
  }

  function writeScores(rows: readonly PlacedRow[]): void {
    for (const { facts } of rows) for (const [score] of facts.scores) scoreColumn(score)
    const values = new Map([...scores.keys()].map((score) => [score, new Float64Array(rows.length).fill(Number.NaN)]))
    for (const [place, { facts }] of rows.entries()) {
      for (const [score, value] of facts.scores) values.get(score)?.fill(value, place, place + 1)
    }
    for (const [score, column] of scores) column.append(values.get(score) ?? [])
  }

  return {
    get count() {
      return count
    },
    get position() {
      return position
    },
    get tail() {
      return tail
    },
    get scores() {
      return [...scores.keys()]
    },
    add(rows, next, nextTail) {
      extents ??= createRowExtents(newestEntries())
      for (const { facts } of rows) extents.add(facts)
      const write = (name: FixedColumn, valueOf: (row: PlacedRow) => number) =>
        columnAt(columns, name).append(rows.map(valueOf))
      for (const name of ["record", "start", "length"] as const) write(name, (row) => row[name])
      for (const name of ["row", "repeat", "attempt", "latency", "digest"] as const)
        write(name, (row) => row.facts[name])
      for (const name of TEXTS) write(name, (row) => texts[name].add(row.facts[name]))
      writeScores(rows)
      for (const [place, { facts }] of rows.entries()) entriesOf(facts.task).set(facts.row, facts.repeat, count + place)
      count += rows.length
      position = next
      tail = nextTail
    },
    save() {
      const listed = Object.fromEntries(TEXTS.map((name) => [name, texts[name].list()]))
      const checksums = Object.fromEntries([...columns].map(([name, column]) => [name, column.checksum()]))
      writeSaved(folder, { count, position, tail, scores: [...scores.keys()], texts: listed, checksums })
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
      columns.values().reduce((sum, column) => sum + column.size(), 0) +
      (newest === undefined ? 0 : count * 8) +
      (order?.order.entries.byteLength ?? 0),
    forget() {
      for (const column of columns.values()) column.forget()
      newest = undefined
      order = undefined
    },
    close() {
      for (const column of columns.values()) column.close()
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

/** Not recursive at first: that call reports a missing path if the file system is read-only. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) === "EEXIST") return
    if (systemCode(error) !== "ENOENT") throw error
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
}

/** Opens the columns as they were saved, or empty ones. */
function openFiles(folder: string): { readonly saved: SavedTable | undefined; readonly columns: Map<string, Column> } {
  const saved = readSaved(folder)
  const scores = Object.fromEntries(saved?.scores.map((_, place) => [scoreName(place), "f64" as const]) ?? [])
  const kept = saved && openColumns(folder, { ...COLUMNS, ...scores }, saved)
  if (kept !== undefined) return { saved, columns: kept }
  return { saved: undefined, columns: openColumns(folder, COLUMNS) ?? new Map() }
}

const scoreName = (place: number) => `score-${place}`

function columnAt(columns: ReadonlyMap<string, Column>, name: string): Column {
  const column = columns.get(name)
  if (column === undefined) throw new Error(`The row index has no column '${name}'.`)
  return column
}
