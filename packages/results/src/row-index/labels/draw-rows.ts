import type { RowTable } from "../table/row-table.ts"
import { rangeOf } from "../selection/select-rows.ts"
import { findScore } from "../selection/score-names.ts"
import type { LineRange } from "../table/row-table.ts"
import { drawKey, type DrawnBy } from "./draw-name.ts"
import { probabilitiesOf, distinctEntries } from "./draw-probability.ts"

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
