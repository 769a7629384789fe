import { createRowValues, type RowValues } from "@assay/metrics"
import type { ColumnNumbers } from "./column.ts"
import type { TextCodes } from "./text-codes.ts"

/** The entries that count, in the order of the dataset. */
export interface RowOrder {
  readonly entries: Uint32Array
  /** By task: where its entries begin and end in `entries`. */
  readonly ranges: ReadonlyMap<string, { readonly from: number; readonly to: number }>
}

/** The entries that count: the last one of each row and repeat. They are read from the columns when they are needed. */
export interface NewestEntries {
  byTask(): ReadonlyMap<string, RowValues>
  /** Returns the entries of a task, to which others can be added. */
  ofTask(task: string): RowValues
  /** Returns the entries by task, row and repeat. */
  order(): RowOrder
  /** Bytes in memory. */
  size(): number
  /** Drops what can be read again. */
  forget(): void
}

/** The columns in which rows are identified. */
export interface EntryColumns {
  readonly numbers: (name: "task" | "row" | "repeat") => ColumnNumbers
  /** The texts of column `task`. */
  readonly tasks: TextCodes
  /** Returns the number of entries. */
  readonly count: () => number
}

export function createNewestEntries(columns: EntryColumns): NewestEntries {
  const { tasks, count } = columns
  let newest: Map<string, RowValues> | undefined
  let order: { readonly of: number; readonly order: RowOrder } | undefined
  const read = () => (newest ??= readNewest(columns))

  return {
    byTask: read,
    ofTask: (task) => valuesOf(read(), task),
    order() {
      if (order?.of !== count()) order = { of: count(), order: orderOf(tasks.list(), read(), count()) }
      return order.order
    },
    size: () => (newest === undefined ? 0 : count() * 8) + (order?.order.entries.byteLength ?? 0),
    forget() {
      newest = undefined
      order = undefined
    },
  }
}

/** Returns, for each task, the entry that counts for each row and repeat: the last one. */
function readNewest({ numbers, tasks, count }: EntryColumns): Map<string, RowValues> {
  const newest = new Map<string, RowValues>()
  const task = numbers("task")
  const row = numbers("row")
  const repeat = numbers("repeat")
  const end = count()
  for (let entry = 0; entry < end; entry++) {
    valuesOf(newest, tasks.textOf(task[entry] ?? 0)).set(row[entry] ?? 0, repeat[entry] ?? 0, entry)
  }
  return newest
}

function valuesOf(newest: Map<string, RowValues>, task: string): RowValues {
  const known = newest.get(task) ?? createRowValues()
  newest.set(task, known)
  return known
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
