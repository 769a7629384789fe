import { type DrawnDifference, drawLikelihood } from "@assay/metrics"
import { drawKey } from "../row-index/labels/draw-name.ts"
import type { ScoredPair } from "./scored-pairs.ts"

/** A row that can be drawn. */
export interface DrawablePair extends Pick<DrawnDifference, "predicted" | "share"> {
  readonly pair: ScoredPair
}

/** All rows in the order of a draw, and their sums. */
export interface PairDraw {
  readonly order: readonly DrawablePair[]
  readonly totals: {
    readonly shares: number
    readonly predicted: number
    readonly likelihoods: number
    readonly rows: number
  }
}

/**
 * Draws all rows whose outputs differ, one by one and without replacement. Each draw takes a row with a probability in proportion to its share of the mean and
 * to how much the judge's scores differ, among the rows that are left: the row with the least exponential number of that rate comes first (Efraimidis and
 * Spirakis, Information Processing Letters 97, 2006). The same seed draws the same order.
 */
export function drawPairs(pairs: Iterable<ScoredPair>, seed: number, span: number): PairDraw {
  const sizes = new Map<number, number>()
  let rows = 0
  for (const { cluster } of pairs) {
    rows++
    if (cluster !== undefined) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  }
  const keyed: (DrawablePair & { readonly key: number })[] = []
  const totals = { shares: 0, predicted: 0, likelihoods: 0, rows: 0 }
  for (const pair of pairs) {
    if (pair.isSame) continue
    const { cluster, scores } = pair
    // As in the comparison of all rows, each group counts once.
    const share = cluster === undefined ? 1 / rows : 1 / (sizes.size * (sizes.get(cluster) ?? 1))
    const predicted = scores[1] - scores[0]
    const likelihood = share * drawLikelihood(predicted, span)
    keyed.push({ pair, predicted, share, key: -Math.log(drawKey(mixed(pair), seed)) / likelihood })
    totals.shares += share
    totals.predicted += share * predicted
    totals.likelihoods += likelihood
    totals.rows++
  }
  return { order: keyed.toSorted((a, b) => a.key - b.key || a.pair.row - b.pair.row), totals }
}

const TWO_POW_48 = 2 ** 48

/** Returns a number of 48 bits that depends on both outputs, in any order, and on the row. */
function mixed({ digests: [a, b], row, repeat }: ScoredPair): number {
  return (Math.min(a, b) + ((Math.max(a, b) * 3) % TWO_POW_48) + row * 0x9e3779 + repeat * 0x85ebca6b) % TWO_POW_48
}
