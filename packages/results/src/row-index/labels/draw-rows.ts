import type { ColumnNumbers } from "../table/column.ts"
import type { RowTable } from "../table/row-table.ts"
import { rangeOf } from "../selection/select-rows.ts"
import { findScore } from "../selection/score-names.ts"
import type { LineRange } from "../table/row-table.ts"
import { drawKey, type DrawnBy, likelihoodOver } from "./draw-order.ts"

export interface RowDraw {
  /** The judge's score that labels are for, as `metric.score`. */
  readonly score: string
  readonly by: DrawnBy
  /** The same seed draws the same rows in the same order. */
  readonly seed: number
  readonly count: number
  /** Numbers of the digests that have a label already. */
  readonly labelled: ReadonlySet<number>
  /** Numbers of the digests that are drawn. Default: all others. */
  readonly only?: ReadonlySet<number> | undefined
}

export interface DrawnRow extends LineRange {
  /** How likely the row was drawn, compared with the mean of all rows. */
  readonly probability: number
}

export interface DrawnRows {
  /** The name of the score, as `metric.score`. */
  readonly score: string
  readonly rows: readonly DrawnRow[]
  /** How many different pairs of item and output the judge has scored. */
  readonly candidates: number
}

/**
 * Draws rows for labelling, without those that have a label. Rows with the same item and output are one candidate.
 *
 * Each candidate gets a number from its digest and the seed, which is divided by its probability. The smallest are drawn first: sequential Poisson sampling
 * (Ohlsson, Journal of Official Statistics 14, 1998). So the rows drawn so far are a sample with these probabilities at any moment, if no drawn row is
 * left out. It takes 8 bytes for each row. @throws `invalid_request` for an unknown score
 */
export function drawRows(table: RowTable, { score: wanted, by, seed, count, labelled, only }: RowDraw): DrawnRows {
  const { name: score, numbers } = findScore(table, wanted)
  const digests = table.numbers("digest")
  const candidates = distinctEntries(table, numbers, digests)
  const probabilityOf = probabilitiesOf(by, numbers, candidates)
  const drawn: { readonly entry: number; readonly key: number; readonly probability: number }[] = []
  for (const entry of candidates) {
    const digest = digests[entry] ?? 0
    if (labelled.has(digest) || only?.has(digest) === false) continue
    const probability = probabilityOf(entry)
    drawn.push({ entry, key: drawKey(digest, seed) / probability, probability })
  }
  const first = drawn.toSorted((a, b) => a.key - b.key).slice(0, count)
  return {
    score,
    rows: first.map(({ entry, probability }) => ({ ...rangeOf(table, entry), probability })),
    candidates: candidates.length,
  }
}

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
export interface IssuedDraw extends Pick<RowDraw, "score" | "by"> {
  readonly digests: readonly number[]
}

/** Returns how likely an entry is drawn, compared with the mean of all. */
function probabilitiesOf(by: DrawnBy, scores: ColumnNumbers, entries: readonly number[]): (entry: number) => number {
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
function distinctEntries(table: RowTable, scores: ColumnNumbers, digests: ColumnNumbers): readonly number[] {
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
