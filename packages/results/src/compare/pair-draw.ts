import { createHash } from "node:crypto"
import { type DrawnDifference, drawLikelihood } from "@assay/metrics"
import { drawKey } from "../row-index/labels/draw-order.ts"
import type { ScoredPair } from "./scored-pairs.ts"

/** A draw of rows of two jobs. */
export interface PairDrawName {
  readonly jobs: readonly [baseline: string, job: string]
  /** `metric.score` */
  readonly score: string
  readonly seed: number
}

/** Returns the id of a draw of rows of two jobs, such as `pairs-1-0f3a9c2b7d51`. Its last part depends on the jobs, in any order, and on the score. */
export function formatPairDraw({ jobs, score, seed }: PairDrawName): string {
  const digest = createHash("sha256").update(JSON.stringify(["pairs", ...jobs.toSorted(), score, seed]))
  return `pairs-${seed}-${digest.digest("hex").slice(0, 12)}`
}

/** Returns the seed of a draw of rows of two jobs. Undefined if the id is not one, or is that of other jobs or of another score. */
export function seedOfPairDraw(draw: string, name: Omit<PairDrawName, "seed">): number | undefined {
  const [, text = ""] = /^pairs-(\d{1,10})-/u.exec(draw) ?? []
  return text !== "" && draw === formatPairDraw({ ...name, seed: Number(text) }) ? Number(text) : undefined
}

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
