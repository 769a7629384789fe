import { checkArgument } from "../check-argument.ts"
import { checkShare } from "../check-share.ts"
import { createRandom, type Random } from "../create-random.ts"
import { normalQuantile } from "../distributions/normal-quantile.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { resampleMeans } from "./resample-means.ts"
import { unitMoments } from "./unit-moments.ts"
import type { Units } from "./units.ts"

export interface BootstrapOptions extends IntervalOptions {
  /** 10,000 when not given. */
  readonly resamples?: number
  /** Where the draws come from; a generator from `seed` when not given. */
  readonly random?: Random
  /** 0 when not given. */
  readonly seed?: number
}

/** Above this many units the percentiles of the means are known by formula, closer than any resampling finds them. */
const RESAMPLED_UNITS = 2000
/** The formula fits means that are nearly normal; a mean that hangs on a few units is still resampled. */
const MAX_SKEWNESS = 0.2
const MAX_DRAWS = 1e8
const FEWEST_RESAMPLES = 200

/** The bootstrap's percentile interval of the mean over units; null for fewer than two, which say nothing of each other. */
export function intervalOfUnits(units: Units, options: BootstrapOptions = {}): Interval | null {
  const { confidence = 0.95, resamples = 10_000, seed = 0, random = createRandom(seed) } = options
  checkShare("confidence", confidence)
  checkArgument(Number.isSafeInteger(resamples) && resamples > 0, "resamples", resamples, "a whole number above 0")
  const n = units.sums.length
  if (n < 2) return null
  const tail = (1 - confidence) / 2
  const moments = unitMoments(units)
  if (n > RESAMPLED_UNITS && Math.abs(moments.skewness) <= MAX_SKEWNESS) {
    const [low, high] = [tail, 1 - tail].map(
      (p) => moments.mean + moments.deviation * cornishFisher(p, moments.skewness),
    )
    return { low: low ?? 0, high: high ?? 0, confidence, method: "bootstrap-expansion" }
  }
  const affordable = Math.max(FEWEST_RESAMPLES, Math.floor(MAX_DRAWS / n))
  const means = resampleMeans(units, random, Math.min(resamples, affordable))
  return { low: quantileOf(means, tail), high: quantileOf(means, 1 - tail), confidence, method: "bootstrap" }
}

/** Cornish and Fisher (1938): the quantile of a nearly normal variable, up to the terms of its skewness. */
function cornishFisher(p: number, skewness: number): number {
  const z = normalQuantile(p)
  return z + (skewness * (z * z - 1)) / 6 - (skewness * skewness * z * (2 * z * z - 5)) / 36
}

/** The smallest of the sorted values that the share `p` of them does not exceed. */
function quantileOf(sorted: Float64Array, p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1)] ?? 0
}
