import { createFolderAtOnce } from "@assay/storage"
import { type Column, columnAt, type ColumnKind, type ColumnNumbers } from "./column.ts"
import { type JournalPosition, type JournalTail, START } from "./journal-position.ts"
import { createNewestEntries, type RowOrder } from "./newest-entries.ts"
import { createRowExtents, type RowExtents } from "./row-extents.ts"
import type { RowFacts } from "./row-facts.ts"
import { openColumns, readSaved, type SavedTable, writeSaved } from "./saved-table.ts"
import { createScoreColumns, scoreName } from "./score-columns.ts"
import { createTextCodes, type TextCodes } from "./text-codes.ts"

/** Where the line of a row is in the journal of its job, in bytes and without the line end. */
export interface LineRange {
  /** The number of the journal's record. A journal that is one file is record 0. */
  readonly record: number
  readonly start: number
  readonly length: number
}

/** A row of a journal. */
export interface LocatedRow extends LineRange {
  readonly facts: RowFacts
}

/** The facts about the rows of one job, in columns. An entry is a row of the journal. A later attempt replaces an earlier one. */
export interface RowTable {
  /** Number of entries, including replaced ones. */
  readonly count: number
  /** The table has the journal up to here. */
  readonly position: JournalPosition
  /** The entries of the journal before `position`. Undefined before the first entries. */
  readonly tail: JournalTail | undefined
  /** The scores that rows have, as `metric.score`. */
  readonly scores: readonly string[]
  /**
   * Adds entries, and the end of the journal after them. They outlive this process after `save`. After an error of the system, the table
   * has to be closed.
   * @throws `rows_invalid` if their row numbers are too large, after which the table is unchanged
   */
  add(rows: readonly LocatedRow[], position: JournalPosition, tail: JournalTail): void
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

/** Columns whose numbers mean texts. */
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

/**
 * Opens the table in a folder that only one thread uses. A table that is damaged, as after a power failure, or of another version is replaced
 * by an empty one.
 */
export function openRowTable(folder: string): RowTable {
  createFolderAtOnce(folder, { mode: 0o700, durable: false })
  const { saved, columns } = openFiles(folder)
  const texts = Object.fromEntries(TEXTS.map((name) => [name, createTextCodes(saved?.texts[name])])) as Record<
    TextColumn,
    TextCodes
  >
  let { count, position, tail } = saved ?? { count: 0, position: START, tail: undefined }
  let extents: RowExtents | undefined
  const numbers = (name: FixedColumn): ColumnNumbers => columnAt(columns, name).values(count)
  const scores = createScoreColumns(folder, columns, saved?.scores)
  const newest = createNewestEntries({ numbers, tasks: texts.task, count: () => count })

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
      return scores.names()
    },
    add(rows, next, nextTail) {
      extents ??= createRowExtents(newest.byTask())
      for (const { facts } of rows) extents.add(facts)
      appendFacts(columns, texts, rows)
      scores.append(rows, count)
      for (const [index, { facts }] of rows.entries()) {
        newest.ofTask(facts.task).set(facts.row, facts.repeat, count + index)
      }
      count += rows.length
      position = next
      tail = nextTail
    },
    save() {
      const listed = Object.fromEntries(TEXTS.map((name) => [name, texts[name].list()]))
      const checksums = Object.fromEntries([...columns].map(([name, column]) => [name, column.checksum()]))
      writeSaved(folder, { count, position, tail, scores: scores.names(), texts: listed, checksums })
    },
    numbers,
    scoreNumbers: (score) => scores.find(score)?.values(count),
    codes: (name) => texts[name],
    order: () => newest.order(),
    find(task, row, repeat) {
      const entry = newest.byTask().get(task)?.get(row, repeat) ?? Number.NaN
      return Number.isNaN(entry) ? undefined : entry
    },
    size: () => columns.values().reduce((sum, column) => sum + column.size(), 0) + newest.size(),
    forget() {
      for (const column of columns.values()) column.forget()
      newest.forget()
    },
    close() {
      for (const column of columns.values()) column.close()
    },
  }
}

/** Adds rows to the fixed columns. */
function appendFacts(
  columns: ReadonlyMap<string, Column>,
  texts: Readonly<Record<TextColumn, TextCodes>>,
  rows: readonly LocatedRow[],
): void {
  const append = (name: FixedColumn, valueOf: (row: LocatedRow) => number) =>
    columnAt(columns, name).append(rows.map(valueOf))
  for (const name of ["record", "start", "length"] as const) append(name, (row) => row[name])
  for (const name of ["row", "repeat", "attempt", "latency", "digest"] as const) append(name, (row) => row.facts[name])
  for (const name of TEXTS) append(name, (row) => texts[name].add(row.facts[name]))
}

/** Opens the columns as they were saved, or empty ones. */
function openFiles(folder: string): { readonly saved: SavedTable | undefined; readonly columns: Map<string, Column> } {
  const saved = readSaved(folder)
  const scores = Object.fromEntries(saved?.scores.map((_, index) => [scoreName(index), "f64" as const]) ?? [])
  const kept = saved && openColumns(folder, { ...COLUMNS, ...scores }, saved)
  if (kept !== undefined) return { saved, columns: kept }
  return { saved: undefined, columns: openColumns(folder, COLUMNS) ?? new Map() }
}
