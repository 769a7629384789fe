import type { RowFilter, RowOperator } from "@assay/schemas"
import type { TextMarks } from "../search/text-searches.ts"
import type { RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"

/** A condition on what the table knows of a row. Texts and fields of items are searched in the journal. */
export type ColumnFilter = Exclude<RowFilter, { field: "text" | "item" }>

export interface RowConditions {
  /** Default: all tasks. */
  readonly task?: string | undefined
  readonly filters: readonly ColumnFilter[]
  /** For each entry, 1 if it contains the texts that are wanted. Absent: no text is wanted. */
  readonly texts?: TextMarks | undefined
}

/** Whether an entry matches. */
type Matches = (entry: number) => boolean

export interface MatchingRows {
  /** The ranks of the rows in the order of the table, ascending. */
  readonly ranks: Uint32Array
  /** Number of rows of the task. */
  readonly total: number
}

/** Finds the rows of a task that match every filter and contain the texts. */
export function matchRows(table: RowTable, { task, filters, texts }: RowConditions): MatchingRows {
  const { entries, ranges } = table.order()
  const whole = { from: 0, to: entries.length }
  const { from, to } = task === undefined ? whole : (ranges.get(task) ?? { from: 0, to: 0 })
  const conditions = filters.map((filter) => matcherOf(table, filter))
  if (texts !== undefined) conditions.unshift(textMatcher(table, texts))
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

/** Returns the matches of marked entries. An entry without a mark was not searched, which does not mean that it has no text. */
function textMatcher({ count }: RowTable, texts: TextMarks): Matches {
  if (texts.length < count) throw new Error(`${texts.length} of ${count} rows were searched for a text.`)
  return (entry) => texts[entry] === 1
}

function matcherOf(table: RowTable, filter: ColumnFilter): Matches {
  if (filter.field === "any") {
    const conditions = filter.filters.map((one) => matcherOf(table, one))
    return (entry) => conditions.some((matches) => matches(entry))
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
export const COMPARISONS: Readonly<Record<RowOperator, (number: number, bound: number) => boolean>> = {
  $eq: (number, bound) => number === bound,
  $lt: (number, bound) => number < bound,
  $lte: (number, bound) => number <= bound,
  $gt: (number, bound) => number > bound,
  $gte: (number, bound) => number >= bound,
}
