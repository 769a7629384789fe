import { checkShare } from "../check-argument.ts"
import { studentQuantile } from "../distributions/student-quantile.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { unitMoments, type Units } from "./units.ts"

/** Below this many units no interval of a mean covers what it says for skewed values. */
const FEWEST_UNITS = 5
/** Equal values have no spread of their own to measure; of thirty, one value in ten may still differ (the rule of three). */
const FEWEST_EQUAL_UNITS = 30
/** How much of the sample's skewness is used: more covers too often for bounded values, less too rarely for skewed ones. */
const SKEWNESS_SHARE = 0.75
const NO_SKEWNESS = 1e-6
const ROUNDING = 1e-12

/**
 * Returns the interval of the mean over units, by Student's t, lengthened on the side where the values are skewed.
 *
 * Hall's transformation (Journal of the Royal Statistical Society B 54, 1992, 221–228) says how far the studentised mean of
 * skewed values leans. The interval is the union of Student's and of Hall's with Student's quantiles. Simulated at 95 %, it
 * holds the true mean of bounded, normal and exponential values 93 to 97 times in 100 from 5 units on. Of log-normal values with
 * a deviation of 1 it does so 90 times at n = 5, and 94 times at n = 50.
 *
 * Units of several values are clusters: the standard error is the one of a ratio of their sums and sizes (Cochran 1977,
 * section 6), and the degrees of freedom are the clusters less one.
 *
 * Returns null where nothing is valid: for fewer than 5 units, and for fewer than 30 whose values are all the same.
 */
export function meanInterval(units: Units, { confidence = 0.95 }: IntervalOptions = {}): Interval | null {
  checkShare("confidence", confidence)
  const n = units.sums.length
  if (n < FEWEST_UNITS) return null
  const { mean, deviation, skewness } = unitMoments(units)
  const around = (below: number, above: number): Interval => ({
    low: mean - below,
    high: mean + above,
    confidence,
    method: "skew-adjusted-t",
  })
  if (deviation <= ROUNDING * Math.abs(mean)) return n < FEWEST_EQUAL_UNITS ? null : around(0, 0)
  const error = deviation * Math.sqrt(n / (n - 1))
  const t = studentQuantile(0.5 + confidence / 2, n - 1)
  const lean = leanOf(skewness * Math.sqrt(n), n)
  return around(error * Math.max(t, lean(t)), error * Math.max(t, -lean(-t)))
}

/** The inverse of Hall's transformation: the quantile of the studentised mean where that of a symmetric one is `t`. */
function leanOf(sampleSkewness: number, n: number): (t: number) => number {
  const adjusted = SKEWNESS_SHARE * sampleSkewness * (Math.sqrt(n * (n - 1)) / (n - 2))
  if (Math.abs(adjusted) < NO_SKEWNESS) return (t) => t
  const root = Math.sqrt(n)
  return (t) => ((3 * root) / adjusted) * (Math.cbrt(1 + adjusted * (t / root - adjusted / (6 * n))) - 1)
}

/** Returns the standard error of the mean over units; of clusters, the clustered one. NaN for fewer than two units. */
export function standardError(units: Units): number {
  const n = units.sums.length
  return n < 2 ? Number.NaN : unitMoments(units).deviation * Math.sqrt(n / (n - 1))
}
