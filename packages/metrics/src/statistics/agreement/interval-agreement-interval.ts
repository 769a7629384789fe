import { createRandom } from "../create-random.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import type { Interval } from "../intervals/interval.ts"

/** The numbers that two raters gave to one row. */
export type RatedPair = readonly [number, number]

/** A step draws the weight of a row. */
const MAX_STEPS = 4e6
const DRAWS = 1000
const MIN_DRAWS = 400

/**
 * Returns an interval of Krippendorff's alpha for numbers of two raters. It holds from a few rows on, and also if all pairs are equal.
 *
 * Rows get random weights (the Bayesian bootstrap of Rubin, Annals of Statistics 9 (1981), 130–134), and each end gets one more row, which is the worst that
 * the scale allows: for the lower end one in which the raters are at its two ends, for the upper end one in which both are at the end that is further from the mean.
 * The added row keeps the interval wide while rare large differences may be missing from the sample, as in Learned-Miller and Thomas, arXiv 1905.06208,
 * for means. The coverage is simulated in `npm run bench -- decide`. Null without a row, and if the scale is a single value.
 */
export function intervalAgreementInterval(
  pairs: readonly RatedPair[],
  scale: readonly [low: number, high: number],
  { confidence = 0.95, seed = 0 }: { readonly confidence?: number; readonly seed?: number } = {},
): Interval | null {
  const [low, high] = scale
  if (pairs.length === 0 || !(low < high)) return null
  const onScale = (value: number) => (value - low) / (high - low)
  const own = pairs.map(([a, b]): RatedPair => [onScale(a), onScale(b)])
  const mean = own.reduce((sum, [a, b]) => sum + a + b, 0) / (2 * own.length)
  const far = mean > 0.5 ? 0 : 1
  const draws = Math.max(MIN_DRAWS, Math.min(DRAWS, Math.floor(MAX_STEPS / (2 * own.length))))
  const random = createRandom(seed)
  const drawn = (extra: RatedPair) =>
    Float64Array.from({ length: draws }, () => alphaOfDraw(own, extra, random)).toSorted()
  const tail = (1 - confidence) / 2
  return {
    low: quantileOf(drawn([0, 1]), tail),
    high: quantileOf(drawn([far, far]), 1 - tail),
    confidence,
    method: "bayesian-bootstrap",
  }
}

/** Returns alpha of pairs with random weights. */
function alphaOfDraw(pairs: readonly RatedPair[], extra: RatedPair, random: () => number): number {
  let weights = 0
  let sum = 0
  let squares = 0
  let differences = 0
  const add = ([a, b]: RatedPair) => {
    const weight = -Math.log(1 - random())
    weights += weight
    sum += weight * (a + b)
    squares += weight * (a * a + b * b)
    differences += weight * (a - b) ** 2
  }
  for (const pair of pairs) add(pair)
  add(extra)
  const mean = sum / (2 * weights)
  const variance = squares / (2 * weights) - mean * mean
  return variance > 0 ? Math.max(-1, 1 - differences / (2 * weights) / variance) : 1
}
