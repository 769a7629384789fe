import type { Interval } from "./interval.ts"
import { intervalOfUnits, type BootstrapOptions } from "./interval-of-units.ts"
import { unitsOf } from "./units.ts"

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
