import type { Interval, IntervalOptions } from "./interval.ts"
import { clopperPearsonInterval, type PairedCounts } from "./rate-intervals.ts"

/** For fewer rows the square root of both reaches is too small, whatever the correlation. */
const MIN_ROWS_TO_COMBINE = 15

/**
 * Returns an interval of the difference of two rates over the same rows, B minus A, or null without a row.
 *
 * Only rows that differ tell a difference, so it combines the exact limits of the two shares of such rows (Clopper and Pearson 1934)
 * as Zou and Donner do for differences ("Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008),
 * with the correlation of two cells of a multinomial distribution. For fewer than 15 rows the reaches are added.
 *
 * All splits of 3 to 120 rows were counted: an end is on the wrong side of the true difference with a probability of at most 2.8 % at
 * 95 %, for differences up to 0.5. Newcombe's interval of the same rows (`pairedRateInterval`) is narrower, and its lower end is wrong up to
 * 9.0 % of the time if few rows differ. Throws `invalid_request`.
 */
export function pairedDifferenceInterval(
  { both, onlyA, onlyB, neither }: PairedCounts,
  { confidence = 0.95 }: IntervalOptions = {},
): Interval | null {
  const n = both + onlyA + onlyB + neither
  if (n === 0) return null
  const a = reachOf(onlyA, n, confidence)
  const b = reachOf(onlyB, n, confidence)
  const correlation = n < MIN_ROWS_TO_COMBINE ? -1 : correlationOf(a.share, b.share)
  const reach = (one: number, other: number) => Math.sqrt(one * one - 2 * correlation * one * other + other * other)
  const difference = (onlyB - onlyA) / n
  return {
    low: Math.max(-1, difference - reach(b.below, a.above)),
    high: Math.min(1, difference + reach(b.above, a.below)),
    confidence,
    method: "combined-intervals",
  }
}

/** Returns the correlation of the counts of two cells of a multinomial distribution. */
function correlationOf(share: number, other: number): number {
  const variances = share * (1 - share) * other * (1 - other)
  return variances === 0 ? 0 : (-share * other) / Math.sqrt(variances)
}

function reachOf(count: number, n: number, confidence: number) {
  const { low, high } = clopperPearsonInterval(count, n, { confidence })
  const share = count / n
  return { share, below: share - low, above: high - share }
}
