import type { ColumnNumbers } from "../table/column.ts"
import type { RowTable } from "../table/row-table.ts"
import { findScore } from "../selection/score-names.ts"
import type { DrawnBy } from "./draw-name.ts"

/** Returns how likely rows are drawn, by the numbers of their digests. Undefined for a row that is never drawn. */
export function issuedProbabilities(
  table: RowTable,
  { score: wanted, by, digests: asked }: IssuedDraw,
): readonly (number | undefined)[] {
  const { numbers } = findScore(table, wanted)
  const digests = table.numbers("digest")
  const candidates = distinctEntries(table, numbers, digests)
  const probabilityOf = probabilitiesOf(by, numbers, candidates)
  const needed = new Set(asked)
  const found = new Map<number, number>()
  for (const entry of candidates) {
    const digest = digests[entry] ?? 0
    if (needed.has(digest)) found.set(digest, probabilityOf(entry))
  }
  return asked.map((digest) => found.get(digest))
}

/** Rows of a draw. */
export interface IssuedDraw {
  /** The judge's score that labels are for, as `metric.score`. */
  readonly score: string
  readonly by: DrawnBy
  readonly digests: readonly number[]
}

/** Returns how likely an entry is drawn, compared with the mean of all. */
export function probabilitiesOf(
  by: DrawnBy,
  scores: ColumnNumbers,
  entries: readonly number[],
): (entry: number) => number {
  if (by === "random") return () => 1
  let low = Infinity
  let high = -Infinity
  for (const entry of entries) {
    low = Math.min(low, scores[entry] ?? low)
    high = Math.max(high, scores[entry] ?? high)
  }
  const likelihoodOf = likelihoodOver(low, high)
  const mean = entries.reduce((sum, entry) => sum + likelihoodOf(scores[entry] ?? low), 0) / entries.length
  return (entry) => likelihoodOf(scores[entry] ?? low) / mean
}

/** Returns the first entry of each digest among the entries with a score. */
export function distinctEntries(table: RowTable, scores: ColumnNumbers, digests: ColumnNumbers): readonly number[] {
  const seen = new Set<number>()
  const distinct: number[] = []
  for (const entry of table.order().entries) {
    const digest = digests[entry] ?? Number.NaN
    if (Number.isNaN(digest) || Number.isNaN(scores[entry]) || seen.has(digest)) continue
    seen.add(digest)
    distinct.push(entry)
  }
  return distinct
}

/** Even rows of which the judge seems sure are drawn sometimes: it can be sure and wrong. */
const LEAST_LIKELY = 0.25

/** Returns a likelihood from 0.25 at the ends of the seen scale to 1.25 in its middle. */
export function likelihoodOver(low: number, high: number): (score: number) => number {
  return (score) => {
    const position = high > low ? (score - low) / (high - low) : 0
    return LEAST_LIKELY + 2 * Math.sqrt(Math.max(0, position * (1 - position)))
  }
}
