import { checkShare } from "../check-argument.ts"
import { studentQuantile } from "../distributions/beta-distribution.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { unitMoments, type UnitMoments, type Units } from "./units.ts"

/** For fewer units of skewed values, no interval has the confidence that it claims. */
const MIN_UNITS = 5
/** Equal values show no spread. Even after 30 of them, one value in ten may differ (the rule of three). */
const MIN_EQUAL_UNITS = 30
/** The share of the sample's skewness that is used. A larger one makes intervals of bounded values too wide, a smaller one those of skewed values too narrow. */
const SKEWNESS_SHARE = 0.75
const NO_SKEWNESS = 1e-6
const ROUNDING = 1e-12

/**
 * Returns the interval of the mean over units: Student's t, extended on the side of the skewness.
 *
 * Hall's transformation (Journal of the Royal Statistical Society B 54, 1992, 221–228) corrects the studentised mean for
 * skewness. The interval is the union of Student's and of Hall's with Student's quantiles. Simulated at 95 %, it
 * contains the true mean of bounded, normal and exponential values 93 to 97 times in 100 from 5 units on. For log-normal values
 * with a deviation of 1 it does so 90 times at n = 5, and 94 times at n = 50.
 *
 * Units of several values are clusters: the standard error is the one of a ratio of their sums and sizes (Cochran 1977,
 * section 6), and the degrees of freedom are the number of clusters minus 1.
 *
 * Returns null if no interval is valid: for fewer than 5 units, and for fewer than 30 with equal values.
 */
export function meanInterval(units: Units, options: IntervalOptions = {}): Interval | null {
  return meanIntervalOfMoments(unitMoments(units), options)
}

/** Returns the interval of {@link meanInterval} for units of which only the moments are known. */
export function meanIntervalOfMoments(
  { n, mean, deviation, skewness }: UnitMoments,
  { confidence = 0.95 }: IntervalOptions = {},
): Interval | null {
  checkShare("confidence", confidence)
  if (n < MIN_UNITS) return null
  const around = (below: number, above: number): Interval => ({
    low: mean - below,
    high: mean + above,
    confidence,
    method: "skew-adjusted-t",
  })
  if (deviation <= ROUNDING * Math.abs(mean)) return n < MIN_EQUAL_UNITS ? null : around(0, 0)
  const error = deviation * Math.sqrt(n / (n - 1))
  const { below, above } = skewAdjustedReach(
    { error, skewness: skewness * Math.sqrt(n), n, degrees: n - 1 },
    confidence,
  )
  return around(below, above)
}

/** What an interval of an estimated mean depends on. */
export interface EstimateMoments {
  /** The standard error of the estimate. */
  readonly error: number
  /** The skewness of the n values that the estimate is the mean of; that of the estimate is √n times smaller. */
  readonly skewness: number
  readonly n: number
  /** The degrees of freedom of the standard error. */
  readonly degrees: number
}

/** Returns how far the interval of {@link meanInterval} reaches below and above an estimate. */
export function skewAdjustedReach(
  { error, skewness, n, degrees }: EstimateMoments,
  confidence: number,
): { readonly below: number; readonly above: number } {
  const t = studentQuantile(0.5 + confidence / 2, degrees)
  const lean = leanOf(skewness, n)
  return { below: error * Math.max(t, lean(t)), above: error * Math.max(t, -lean(-t)) }
}

/** Returns the inverse of Hall's transformation: from a quantile `t` of a symmetric mean to that of the studentised mean. */
function leanOf(sampleSkewness: number, n: number): (t: number) => number {
  const adjusted = SKEWNESS_SHARE * sampleSkewness * (Math.sqrt(n * (n - 1)) / (n - 2))
  if (Math.abs(adjusted) < NO_SKEWNESS) return (t) => t
  const root = Math.sqrt(n)
  return (t) => ((3 * root) / adjusted) * (Math.cbrt(1 + adjusted * (t / root - adjusted / (6 * n))) - 1)
}

/** Returns the standard error of the mean over units, the clustered one for clusters. Returns NaN for fewer than two units. */
export function standardError(units: Units): number {
  const n = units.sums.length
  return n < 2 ? Number.NaN : unitMoments(units).deviation * Math.sqrt(n / (n - 1))
}
