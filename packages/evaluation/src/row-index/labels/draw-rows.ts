import type { ColumnNumbers } from "../table/column.ts"
import type { RowTable } from "../table/row-table.ts"
import { placeOf } from "../selection/select-rows.ts"
import { findScore } from "../selection/score-names.ts"
import type { LinePlace } from "../table/row-table.ts"

/** `random`: each row is as likely as any other. `uncertainty`: rows with scores in the middle of the scale are likelier. */
export type DrawnBy = "random" | "uncertainty"

export interface RowDraw {
  /** The judge's score that labels are for, as `metric.score`. */
  readonly score: string
  readonly by: DrawnBy
  /** The same seed draws the same rows in the same order. */
  readonly seed: number
  readonly count: number
  /** Numbers of the digests that have a label already. */
  readonly labelled: ReadonlySet<number>
}

export interface DrawnRow extends LinePlace {
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
export function drawRows(table: RowTable, { score: wanted, by, seed, count, labelled }: RowDraw): DrawnRows {
  const { name: score, numbers } = findScore(table, wanted)
  const digests = table.numbers("digest")
  const candidates = distinctEntries(table, numbers, digests)
  const likelihoodOf = by === "random" ? () => 1 : uncertaintyOf(numbers, candidates)
  const mean = candidates.reduce((sum, entry) => sum + likelihoodOf(entry), 0) / candidates.length
  const drawn: { readonly entry: number; readonly key: number; readonly probability: number }[] = []
  for (const entry of candidates) {
    const digest = digests[entry] ?? 0
    if (labelled.has(digest)) continue
    const probability = likelihoodOf(entry) / mean
    drawn.push({ entry, key: uniformOf(digest, seed) / probability, probability })
  }
  const first = drawn.toSorted((a, b) => a.key - b.key).slice(0, count)
  return {
    score,
    rows: first.map(({ entry, probability }) => ({ ...placeOf(table, entry), probability })),
    candidates: candidates.length,
  }
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

/** Even rows of which the judge seems sure are drawn sometimes: it can be sure and wrong. */
const LEAST_LIKELY = 0.25

/** Returns a likelihood from 0.25 at the ends of the seen scale to 1.25 in its middle. */
function uncertaintyOf(scores: ColumnNumbers, entries: readonly number[]): (entry: number) => number {
  let [low, high] = [Infinity, -Infinity]
  for (const entry of entries) {
    low = Math.min(low, scores[entry] ?? low)
    high = Math.max(high, scores[entry] ?? high)
  }
  return (entry) => {
    const place = high > low ? ((scores[entry] ?? low) - low) / (high - low) : 0
    return LEAST_LIKELY + 2 * Math.sqrt(place * (1 - place))
  }
}

const TWO_POW_32 = 2 ** 32

/** Returns a number above 0 and at most 1 that depends on a digest of 48 bits and a seed, by the finaliser of SplitMix32. */
function uniformOf(digest: number, seed: number): number {
  let mixed =
    ((digest % TWO_POW_32) | 0) ^ Math.imul(seed | 0, 0x9e3779b9) ^ Math.imul((digest / TWO_POW_32) | 0, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (((mixed ^ (mixed >>> 16)) >>> 0) + 1) / TWO_POW_32
}
