import { checkArgument, checkShare } from "../check-argument.ts"
import { createRandom, type Random } from "../create-random.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { unitMoments, type Units, unitsOf } from "./units.ts"

export interface BootstrapIntervalOptions extends BootstrapOptions {
  /** For each value the row that it belongs to, where rows repeat: rows are drawn then, with all their values. */
  readonly clusters?: ArrayLike<number | string>
}

/**
 * Where the true mean lies: the bootstrap's percentile interval (Efron and Tibshirani 1993, chapter 13), the same for the
 * same seed. Of the differences of pairs, it is the paired bootstrap. Null for fewer than two values or rows.
 *
 * Up to 2,000 values (or rows) are resampled, 10,000 times unless said otherwise: within 0.2 s. Of more, the same percentiles
 * are taken from the Cornish–Fisher expansion of what the mean is over all resamples, in its first three moments: closer than
 * 10,000 draws come, and in milliseconds for a million values. Where a few values make up the mean (its skewness is above 0.2)
 * resampling goes on, as often as 100 million draws allow and 200 times at least. Memory: 8 bytes a value, 16 with clusters.
 * Of few values it holds the true mean less often than it says: 85 times in 100 of five, and 90 times of fifty exponential ones.
 * Summaries and comparisons use {@link meanInterval} instead.
 * Throws `invalid_request` for values that are not finite.
 */
export function bootstrapInterval(values: ArrayLike<number>, options: BootstrapIntervalOptions = {}): Interval | null {
  return intervalOfUnits(unitsOf(values, options.clusters), options)
}

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

/** The sorted means of `resamples` samples, each as many units as there are, drawn with replacement. */
export function resampleMeans({ sums, sizes }: Units, random: Random, resamples: number): Float64Array {
  const means = new Float64Array(resamples)
  const n = sums.length
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0
    let count = sizes === null ? n : 0
    for (let draw = 0; draw < n; draw++) {
      const place = Math.floor(random() * n)
      sum += sums[place] ?? 0
      if (sizes !== null) count += sizes[place] ?? 0
    }
    means[resample] = sum / count
  }
  means.sort()
  return means
}
