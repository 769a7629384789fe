import { checkArgument } from "../check-argument.ts"

/** The effect of blocking every row with a score of at least `threshold`. A threshold of null blocks no row. */
export interface RocPoint {
  readonly threshold: number | null
  readonly false_positives: number
  readonly true_positives: number
  readonly false_positive_rate: number
  readonly recall: number
}

export interface RocCurve {
  readonly positives: number
  readonly negatives: number
  /** One point for each score that occurs, from blocking no row to blocking all. */
  readonly points: readonly RocPoint[]
  /** The probability that an unsafe row has a higher score than a safe one. Ties count half. */
  readonly auc: number
  /** The precision at each step, weighted by the recall that the step adds. */
  readonly average_precision: number
  /** Returns the point with the highest recall whose false positive rate is at most `falsePositiveRate`. */
  recallAt(falsePositiveRate: number): RocPoint
}

/**
 * Computes how well scores separate unsafe rows (label 1 or true) from safe ones, at every threshold. Returns null if there
 * are no unsafe rows or no safe rows. Source: Fawcett, Pattern Recognition Letters 27 (2006), 861–874; average precision without interpolation as in
 * scikit-learn. Throws `invalid_request`.
 */
export function rocCurve(labels: ArrayLike<number | boolean>, scores: ArrayLike<number>): RocCurve | null {
  const n = labels.length
  checkArgument(n === scores.length, "scores", scores.length, `as many scores as there are labels: ${n}`)
  const order = Array.from({ length: n }, (_, at) => ({
    score: scores[at] ?? Number.NaN,
    positive: Number(labels[at]),
  }))
  for (const { score, positive } of order) {
    checkArgument(!Number.isNaN(score), "scores", score, "numbers, and count rows without one apart")
    checkArgument(positive === 0 || positive === 1, "labels", positive, "0 and 1, or false and true")
  }
  order.sort((one, other) => other.score - one.score)
  const positives = order.reduce((sum, { positive }) => sum + positive, 0)
  const negatives = n - positives
  if (positives === 0 || negatives === 0) return null

  const pointAt = (threshold: number | null, hits: number, blocked: number): RocPoint => ({
    threshold,
    false_positives: blocked - hits,
    true_positives: hits,
    false_positive_rate: (blocked - hits) / negatives,
    recall: hits / positives,
  })
  let last = pointAt(null, 0, 0)
  const points = [last]
  let hits = 0
  let auc = 0
  let averagePrecision = 0
  for (const [at, { score, positive }] of order.entries()) {
    hits += positive
    if (order[at + 1]?.score === score) continue
    const point = pointAt(score, hits, at + 1)
    auc += ((point.false_positives - last.false_positives) * (hits + last.true_positives)) / 2
    averagePrecision += (point.recall - last.recall) * (hits / (at + 1))
    points.push(point)
    last = point
  }
  return {
    positives,
    negatives,
    points,
    auc: auc / positives / negatives,
    average_precision: averagePrecision,
    // The false positive rate and recall rise along the curve, so the last point within the rate is the best.
    recallAt: (rate) => points.findLast((point) => point.false_positive_rate <= rate) ?? last,
  }
}
