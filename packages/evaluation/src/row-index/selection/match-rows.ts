import type { RowFilter, RowOperator } from "@assay/schemas"
import type { RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"

/** For each text of a filter: 1 for each entry that contains it. */
export type TextMatches = ReadonlyMap<string, Uint8Array>

export interface RowConditions {
  readonly task?: string | undefined
  readonly filters: readonly RowFilter[]
}

/** Whether an entry matches. */
type Matches = (entry: number) => boolean

export interface MatchingRows {
  /** The ranks of the rows in the order of the table, ascending. */
  readonly ranks: Uint32Array
  /** Number of rows of the task. */
  readonly total: number
}

/** Finds the rows of a task that match every filter. */
export function matchRows(table: RowTable, { task, filters }: RowConditions, texts: TextMatches): MatchingRows {
  const { entries, ranges } = table.order()
  const whole = { from: 0, to: entries.length }
  const { from, to } = task === undefined ? whole : (ranges.get(task) ?? { from: 0, to: 0 })
  const conditions = filters.map((filter) => matcherOf(table, filter, texts))
  const ranks = new Uint32Array(to - from)
  let matched = 0
  for (let rank = from; rank < to; rank++) {
    if (conditions.length === 0 || matchesAll(conditions, entries[rank] ?? 0)) ranks[matched++] = rank
  }
  return { ranks: ranks.subarray(0, matched), total: to - from }
}

function matchesAll(conditions: readonly Matches[], entry: number): boolean {
  for (const matches of conditions) if (!matches(entry)) return false
  return true
}

function matcherOf(table: RowTable, filter: RowFilter, texts: TextMatches): Matches {
  if (filter.field === "text") {
    const marks = texts.get(filter.part)
    return (entry) => marks?.[entry] === 1
  }
  if (filter.field === "latency" || filter.field === "score") {
    const { operator, value } = filter
    const numbers = filter.field === "score" ? requireScore(table, filter.metric) : table.numbers("latency")
    const holds = COMPARISONS[operator]
    return (entry) => holds(numbers[entry] ?? Number.NaN, value)
  }
  const numbers = table.numbers(filter.field)
  const codes = new Set(filter.values.map((text) => table.codes(filter.field).find(text)))
  return (entry) => codes.has(numbers[entry]) === filter.isIn
}

/** A row without a number never matches. */
const COMPARISONS: Readonly<Record<RowOperator, (number: number, bound: number) => boolean>> = {
  $eq: (number, bound) => number === bound,
  $lt: (number, bound) => number < bound,
  $lte: (number, bound) => number <= bound,
  $gt: (number, bound) => number > bound,
  $gte: (number, bound) => number >= bound,
}
