import type { RowSort } from "@assay/schemas"
import { matchRows, type RowConditions } from "./match-rows.ts"
import type { LineRange, RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"
import { selectRange } from "./select-range.ts"

export interface RowSelection extends RowConditions {
  readonly sort: RowSort
  /** For each entry, its position in the order of the field by which rows are sorted. */
  readonly itemOrder?: Float64Array | undefined
  readonly offset: number
  readonly limit: number
}

/** A row of a page: its range in the journal and what the index knows of it. */
export interface SelectedRow extends LineRange {
  readonly condition: string | null
  readonly verdict: string | null
  /** The row in the other job. */
  readonly other: LineRange | null
}

export interface SelectedPage {
  readonly rows: readonly SelectedRow[]
  /** The scores that rows of the job have, as `metric.score`. */
  readonly scores: readonly string[]
  /** Number of rows of the task. */
  readonly total: number
  /** Number of them that match the filters. */
  readonly matched: number
}

/**
 * Returns a page of rows in order.
 * @param other the table of another job, for `changed` and for the rows beside these
 */
export function selectRows(
  table: RowTable,
  { sort, itemOrder, offset, limit, ...conditions }: RowSelection,
  other?: RowTable,
): SelectedPage {
  const { ranks, total } = matchRows(table, conditions)
  const matched = ranks.length
  const from = Math.min(offset, matched)
  const to = Math.min(offset + limit, matched)
  const { entries } = table.order()
  const selected = inOrder(ranks, { from, to }, () => sortKeys(table, sort, { itemOrder, other }), sort)
  const rows = selected.map((rank) => selectedRow(table, entries[rank] ?? 0, other))
  return { rows, scores: table.scores, total, matched }
}

export interface PageRange {
  readonly from: number
  readonly to: number
}

export interface PageOrder {
  /** "index" is the order of the ranks. For others, keys decide. */
  readonly by: string
  readonly isDescending: boolean
}

/** Returns the ranks of a page. `ranks` ascend, as rows do that are sorted by index. */
export function inOrder(
  ranks: Uint32Array,
  { from, to }: PageRange,
  keysOf: () => Float64Array,
  { by, isDescending }: PageOrder,
): readonly number[] {
  if (by === "index" && !isDescending) return [...ranks.subarray(from, to)]
  if (by === "index") return [...ranks.subarray(ranks.length - to, ranks.length - from)].toReversed()
  if (from < to) {
    const keys = keysOf()
    // The difference of two infinities is NaN, so they are equal here.
    selectRange(ranks, { from, to, compare: (a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b })
  }
  return [...ranks.subarray(from, to)]
}

interface SortInputs extends Pick<RowSelection, "itemOrder"> {
  readonly other: RowTable | undefined
}

/** Returns, for each rank, a number whose ascending order is the wanted one. Rows without a value come last in both directions. */
function sortKeys(table: RowTable, sort: RowSort, given: SortInputs): Float64Array {
  const { entries } = table.order()
  const keys = new Float64Array(entries.length)
  if (sort.by === "index") return keys
  const values = sortValues(table, sort, given)
  const sign = sort.isDescending ? -1 : 1
  for (let rank = 0; rank < keys.length; rank++) {
    const value = values[entries[rank] ?? 0] ?? Number.NaN
    keys[rank] = Number.isNaN(value) ? Infinity : sign * value
  }
  return keys
}

function sortValues(
  table: RowTable,
  sort: Exclude<RowSort, { by: "index" }>,
  { itemOrder, other }: SortInputs,
): ArrayLike<number> {
  if (sort.by === "latency") return table.numbers("latency")
  if (sort.by === "item" || sort.by === "output") {
    if (itemOrder === undefined) throw new Error("The rows were not read for their order.")
    return itemOrder
  }
  if (!("metric" in sort)) return positionsOfTexts(table, sort.by)
  const values = requireScore(table, sort.metric)
  return sort.by === "changed" ? changes(table, values, sort.metric, other) : values
}

/** Returns the position of the text of each entry among all texts of its column in code-point order. An empty text has none. */
function positionsOfTexts(table: RowTable, name: "task" | "condition" | "verdict" | "error"): Float64Array {
  const texts = table.codes(name).list()
  const sorted = texts.filter((text) => text !== "").toSorted((a, b) => (a < b ? -1 : 1))
  const positions = new Map(sorted.map((text, position) => [text, position]))
  const byCode = texts.map((text) => positions.get(text) ?? Number.NaN)
  const codes = table.numbers(name)
  return Float64Array.from({ length: table.count }, (_, entry) => byCode[codes[entry] ?? 0] ?? Number.NaN)
}

/** Returns by how much the score of each entry differs from the other job's, without a sign, negated: most changed first. */
function changes(table: RowTable, values: ArrayLike<number>, metric: string, other: RowTable | undefined) {
  const differences = new Float64Array(table.count).fill(Number.NaN)
  if (other === undefined) return differences
  const others = requireScore(other, metric)
  const task = table.numbers("task")
  const row = table.numbers("row")
  const repeat = table.numbers("repeat")
  const { count } = table
  for (let entry = 0; entry < count; entry++) {
    const before = other.find(table.codes("task").textOf(task[entry] ?? 0), row[entry] ?? 0, repeat[entry] ?? 0)
    if (before !== undefined)
      differences[entry] = -Math.abs((values[entry] ?? Number.NaN) - (others[before] ?? Number.NaN))
  }
  return differences
}

function selectedRow(table: RowTable, entry: number, other: RowTable | undefined): SelectedRow {
  const text = (name: "task" | "condition" | "verdict") => table.codes(name).textOf(Number(table.numbers(name)[entry]))
  const before = other?.find(text("task"), Number(table.numbers("row")[entry]), Number(table.numbers("repeat")[entry]))
  return {
    ...rangeOf(table, entry),
    condition: text("condition") || null,
    verdict: text("verdict") || null,
    other: other === undefined || before === undefined ? null : rangeOf(other, before),
  }
}

export function rangeOf(table: RowTable, entry: number): LineRange {
  const [record, start, length] = (["record", "start", "length"] as const).map((name) =>
    Number(table.numbers(name)[entry]),
  )
  return { record: record ?? 0, start: start ?? 0, length: length ?? 0 }
}
