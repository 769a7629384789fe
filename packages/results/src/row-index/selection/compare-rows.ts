import { matchRows, type RowConditions } from "./match-rows.ts"
import type { LineRange, RowTable } from "../table/row-table.ts"
import { findScore } from "./score-names.ts"
import { inOrder, rangeOf } from "./select-rows.ts"

export interface PairSelection extends RowConditions {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  readonly sort: PairSort
  /** Only rows whose score is higher, lower or the same in `b`. Default: all. */
  readonly change?: ScoreChange | undefined
  readonly offset: number
  readonly limit: number
}

export type ScoreChange = "up" | "down" | "same"

/** The order of pairs. `changed` ascends from the largest difference without its sign, `difference` from the lowest. */
export interface PairSort {
  readonly by: "changed" | "difference" | "index"
  readonly isDescending: boolean
}

/** A row that two jobs have, and its range in both journals. */
export interface SelectedPair {
  readonly a: LineRange
  readonly b: LineRange
  /** NaN if the row has no score. */
  readonly scoreA: number
  readonly scoreB: number
}

export interface SelectedPairs {
  readonly pairs: readonly SelectedPair[]
  /** As `metric.score`. */
  readonly metric: string
  /** Number of rows of the task that both jobs have. */
  readonly total: number
  /** Number of them that match the filters. */
  readonly matched: number
  readonly onlyA: number
  readonly onlyB: number
}

/** Returns a page of the rows that both tables have. Filters are about the rows of `b`. @throws `invalid_request` for an unknown score */
export function selectPairs(
  a: RowTable,
  b: RowTable,
  { task, filters, texts, metric, sort, change, offset, limit }: PairSelection,
): SelectedPairs {
  const { name, numbers: scoresB } = findScore(b, metric)
  const { numbers: scoresA } = findScore(a, name)
  const { entries } = b.order()
  const partners = partnersIn(a, b)
  const all = matchRows(b, { task, filters: [] })
  const paired = withPartner(all.ranks, partners)
  const total = paired.length
  const isFiltered = filters.length > 0 || texts !== undefined
  const matching = isFiltered ? withPartner(matchRows(b, { task, filters, texts }).ranks, partners) : paired
  const differenceOf = (rank: number) =>
    (scoresB[entries[rank] ?? 0] ?? Number.NaN) - (scoresA[partners[rank] ?? 0] ?? Number.NaN)
  const ranks = change === undefined ? matching : matching.filter((rank) => CHANGES[change](differenceOf(rank)))
  const matched = ranks.length
  const keysOf = () => {
    const keys = new Float64Array(entries.length).fill(Infinity)
    const sign = sort.isDescending ? -1 : 1
    for (const rank of ranks) {
      const difference = differenceOf(rank)
      const key = sort.by === "changed" ? -Math.abs(difference) : difference
      if (!Number.isNaN(key)) keys[rank] = sign * key
    }
    return keys
  }
  const range = { from: Math.min(offset, matched), to: Math.min(offset + limit, matched) }
  const pairs = inOrder(ranks, range, keysOf, sort).map((rank) => {
    const before = partners[rank] ?? 0
    const entry = entries[rank] ?? 0
    const scores = { scoreA: scoresA[before] ?? Number.NaN, scoreB: scoresB[entry] ?? Number.NaN }
    return { a: rangeOf(a, before), b: rangeOf(b, entry), ...scores }
  })
  const onlyA = matchRows(a, { task, filters: [] }).total - total
  return { pairs, metric: name, total, matched, onlyA, onlyB: all.total - total }
}

/** A row without a difference has no change. */
const CHANGES: Readonly<Record<ScoreChange, (difference: number) => boolean>> = {
  up: (difference) => difference > 0,
  down: (difference) => difference < 0,
  same: (difference) => difference === 0,
}

/** Returns, for each rank of `b`, the entry of the same row in `a`, or -1. */
function partnersIn(a: RowTable, b: RowTable): Int32Array {
  const { entries } = b.order()
  const tasks = b.numbers("task")
  const rows = b.numbers("row")
  const repeats = b.numbers("repeat")
  const names = b.codes("task").list()
  const partners = new Int32Array(entries.length)
  for (let rank = 0; rank < partners.length; rank++) {
    const entry = entries[rank] ?? 0
    partners[rank] = a.find(names[tasks[entry] ?? 0] ?? "", rows[entry] ?? 0, repeats[entry] ?? 0) ?? -1
  }
  return partners
}

/** Returns the ranks that have a partner, in their order. */
function withPartner(ranks: Uint32Array, partners: Int32Array): Uint32Array {
  const found = new Uint32Array(ranks.length)
  let count = 0
  for (const rank of ranks) if ((partners[rank] ?? -1) >= 0) found[count++] = rank
  return found.subarray(0, count)
}
