import { createHash } from "node:crypto"
import { type DrawnDifference, drawLikelihood } from "@assay/metrics"
import { drawKey } from "../row-index/labels/draw-order.ts"
import type { ScoredPair } from "../corrected/scored-pairs.ts"

/** A draw of rows of two jobs. */
export interface PairDrawName {
  readonly jobs: readonly [baseline: string, job: string]
  /** `metric.score` */
  readonly score: string
  readonly seed: number
}

/**
 * Returns the id of a draw of rows of two jobs, such as `pairs-1-0f3a9c2b7d51`. Its last part has six digits for each job, in any order, which depend on the
 * job, the score and the seed: a label of one of the jobs shows whether the draw was issued for it.
 */
export function formatPairDraw({ jobs, score, seed }: PairDrawName): string {
  const parts = jobs.map((job) => partOf({ job, score, seed }))
  return `pairs-${seed}-${parts.toSorted().join("")}`
}

/** Returns whether a draw of two jobs can be one of this job and score. */
export function isPairDrawOf(draw: string, { job, score }: { readonly job: string; readonly score: string }): boolean {
  const [, seed = "", first, second] = /^pairs-(0|[1-9]\d{0,9})-([0-9a-f]{6})([0-9a-f]{6})$/u.exec(draw) ?? []
  const part = partOf({ job, score, seed: Number(seed) })
  return first === part || second === part
}

function partOf({ job, score, seed }: { readonly job: string; readonly score: string; readonly seed: number }): string {
  return createHash("sha256")
    .update(JSON.stringify(["pairs", job, score, seed]))
    .digest("hex")
    .slice(0, 6)
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
