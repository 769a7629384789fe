import { matchRows, type RowConditions, type TextMatches } from "./match-rows.ts"
import type { LinePlace, RowTable } from "./row-table.ts"
import { findScore } from "./score-names.ts"
import { inOrder, placeOf } from "./select-rows.ts"

export interface PairSelection extends RowConditions {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  readonly sort: PairSort
  readonly offset: number
  readonly limit: number
}

/** The order of pairs. `changed` ascends from the largest difference without its sign, `difference` from the lowest. */
export interface PairSort {
  readonly by: "changed" | "difference" | "index"
  readonly isDescending: boolean
}

/** A row that two jobs have, and its place in both journals. */
export interface SelectedPair {
  readonly a: LinePlace
  readonly b: LinePlace
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
  { task, filters, metric, sort, offset, limit }: PairSelection,
  texts: TextMatches,
): SelectedPairs {
  const { name, numbers: scoresB } = findScore(b, metric)
  const { numbers: scoresA } = findScore(a, name)
  const { entries } = b.order()
  const partners = partnersIn(a, b)
  const hasPartner = (rank: number) => (partners[rank] ?? -1) >= 0
  const all = matchRows(b, { task, filters: [] }, texts)
  const paired = all.ranks.filter(hasPartner)
  const total = paired.length
  const ranks = filters.length === 0 ? paired : matchRows(b, { task, filters }, texts).ranks.filter(hasPartner)
  const matched = ranks.length
  const pairAt = (rank: number) => {
    const [before, entry] = [partners[rank] ?? 0, entries[rank] ?? 0]
    return { before, entry, scoreA: scoresA[before] ?? Number.NaN, scoreB: scoresB[entry] ?? Number.NaN }
  }
  const keysOf = () => {
    const keys = new Float64Array(entries.length).fill(Infinity)
    const sign = sort.isDescending ? -1 : 1
    for (const rank of ranks) {
      const { scoreA, scoreB } = pairAt(rank)
      const key = sort.by === "changed" ? -Math.abs(scoreB - scoreA) : scoreB - scoreA
      if (!Number.isNaN(key)) keys[rank] = sign * key
    }
    return keys
  }
  const range = { from: Math.min(offset, matched), to: Math.min(offset + limit, matched) }
  const pairs = inOrder(ranks, range, keysOf, sort).map((rank) => {
    const { before, entry, ...scores } = pairAt(rank)
    return { a: placeOf(a, before), b: placeOf(b, entry), ...scores }
  })
  const onlyA = matchRows(a, { task, filters: [] }, texts).total - total
  return { pairs, metric: name, total, matched, onlyA, onlyB: all.total - total }
}

/** Returns, for each rank of `b`, the entry of the same row in `a`, or -1. */
function partnersIn(a: RowTable, b: RowTable): Int32Array {
  const { entries } = b.order()
  const [tasks, rows, repeats] = [b.numbers("task"), b.numbers("row"), b.numbers("repeat")]
  const names = b.codes("task").list()
  return Int32Array.from(
    entries,
    (entry) => a.find(names[tasks[entry] ?? 0] ?? "", rows[entry] ?? 0, repeats[entry] ?? 0) ?? -1,
  )
}
