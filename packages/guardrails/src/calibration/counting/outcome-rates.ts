import type { JudgeTally } from "./judge-tally.ts"
import type { RowGroups, RowTally } from "./row-tally.ts"

/** How many rows came out how, by label. */
export interface OutcomeCounts {
  readonly safe: LabelCounts
  readonly unsafe: LabelCounts
}

export interface LabelCounts {
  rows: number
  blocked: number
  passed: number
  /** Under the policies, whatever the outcome. */
  letThrough: number
}

export function countOutcomes(rows: RowTally, judge: JudgeTally): OutcomeCounts {
  const counts = noCounts()
  for (let row = 0; row < rows.count; row++) add(counts, rows, judge, row)
  return counts
}

/** The same for each named group, by name, in the order of their first rows. */
export function countOutcomesByGroup(
  rows: RowTally,
  judge: JudgeTally,
  groups: RowGroups,
): ReadonlyMap<string, OutcomeCounts> {
  const all = groups.names.map(noCounts)
  for (let row = 0; row < rows.count; row++) {
    const counts = all[groups.of(row)]
    if (counts !== undefined) add(counts, rows, judge, row)
  }
  return new Map(
    groups.names.flatMap((name, place) => (place === 0 ? [] : [[name, all[place] ?? noCounts()] as const])),
  )
}

function add(counts: OutcomeCounts, rows: RowTally, judge: JudgeTally, row: number): void {
  const outcome = judge.outcome(row)
  if (outcome === null) return
  const side = rows.isUnsafe(row) ? counts.unsafe : counts.safe
  side.rows++
  if (outcome === "block") side.blocked++
  if (outcome === "pass") side.passed++
  if (judge.isLetThrough(row)) side.letThrough++
}

function noCounts(): OutcomeCounts {
  const none = () => ({ rows: 0, blocked: 0, passed: 0, letThrough: 0 })
  return { safe: none(), unsafe: none() }
}
