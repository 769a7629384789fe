import { checkArgument, checkShare } from "../check-argument.ts"
import { createRandom, type Random } from "../create-random.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { unitMoments, type Units, unitsOf } from "./units.ts"

export interface BootstrapIntervalOptions extends BootstrapOptions {
  /** The row of each value, if rows repeat. Rows are then drawn with all their values. */
  readonly clusters?: ArrayLike<number | string>
}

/**
 * Returns an interval of the true mean: the bootstrap's percentile interval (Efron and Tibshirani 1993, chapter 13). The same
 * seed gives the same interval. For differences of pairs it is the paired bootstrap. Returns null for fewer than two values
 * or rows.
 *
 * Up to 2,000 values or rows are resampled, by default 10,000 times, which takes at most 0.2 s. For more, the percentiles come
 * from the Cornish–Fisher expansion of the mean over all resamples, in its first three moments. It is more precise than 10,000
 * draws and takes milliseconds for a million values. If a few values dominate the mean (its skewness is above 0.2),
 * resampling continues within 100 million draws, at least 200 times. Memory: 8 bytes per value, 16 with clusters.
 *
 * With few values it covers the true mean less often than its confidence says: 85 times in 100 for 5 exponential values, and
 * 90 times for 50. Summaries and comparisons use {@link meanInterval} instead.
 * Throws `invalid_request` for values that are not finite.
 */
export function bootstrapInterval(values: ArrayLike<number>, options: BootstrapIntervalOptions = {}): Interval | null {
  return intervalOfUnits(unitsOf(values, options.clusters), options)
}

export interface BootstrapOptions extends IntervalOptions {
  /** Default 10,000. */
  readonly resamples?: number
  /** The source of the draws. Default: a generator from `seed`. */
  readonly random?: Random
  /** Default 0. */
  readonly seed?: number
}

/** For more units, a formula gives the percentiles of the means more precisely than resampling. */
const RESAMPLED_UNITS = 2000
/** The formula is for means that are nearly normal. A mean that depends on a few units is still resampled. */
const MAX_SKEWNESS = 0.2
const MAX_DRAWS = 1e8
const MIN_RESAMPLES = 200

/** Returns the bootstrap's percentile interval of the mean over units, or null for fewer than two units. */
function intervalOfUnits(units: Units, options: BootstrapOptions = {}): Interval | null {
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
  const affordable = Math.max(MIN_RESAMPLES, Math.floor(MAX_DRAWS / n))
  const means = resampleMeans(units, random, Math.min(resamples, affordable))
  return { low: quantileOf(means, tail), high: quantileOf(means, 1 - tail), confidence, method: "bootstrap" }
}

/** Returns the quantile of a nearly normal variable, up to the terms of its skewness. Source: Cornish and Fisher (1938). */
function cornishFisher(p: number, skewness: number): number {
  const z = normalQuantile(p)
  return z + (skewness * (z * z - 1)) / 6 - (skewness * skewness * z * (2 * z * z - 5)) / 36
}

/** Returns the smallest sorted value that at least a share `p` of them does not exceed. */
export function quantileOf(sorted: Float64Array, p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1)] ?? 0
}

/** Returns the sorted means of `resamples` samples of all units, drawn with replacement. */
export function resampleMeans({ sums, sizes }: Units, random: Random, resamples: number): Float64Array {
  const means = new Float64Array(resamples)
  const n = sums.length
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0
    let count = sizes === null ? n : 0
    for (let draw = 0; draw < n; draw++) {
      const index = Math.floor(random() * n)
      sum += sums[index] ?? 0
      if (sizes !== null) count += sizes[index] ?? 0
    }
    means[resample] = sum / count
  }
  means.sort()
  return means
}
