import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"

/** A count among rows. */
export interface RateCount {
  readonly count: number
  readonly n: number
}

/** What a judge of two verdicts said, and how often labels agree with it. */
export interface JudgedRate {
  /** Rows that the judge calls positive, among all rows. */
  readonly apparent: RateCount
  /** Rows that the judge calls positive, among those that are positive by their label. */
  readonly sensitivity: RateCount
  /** Rows that the judge calls negative, among those that are negative by their label. */
  readonly specificity: RateCount
}

export interface CorrectedRate {
  readonly rate: number
  readonly interval: Interval
}

/**
 * Returns the true rate behind a judge's verdicts, from its sensitivity and specificity. Returns null if labels of one kind are missing, or if
 * the judge does no better than chance: its verdicts then say nothing.
 *
 * The estimate is Rogan and Gladen's (American Journal of Epidemiology 107, 1978, 71–76), limited to 0 to 1. The interval is that of Lang and
 * Reiczigel (Preventive Veterinary Medicine 113, 2014, 13–22), for a sensitivity and a specificity that are estimates themselves. Counts need not be
 * whole: they may be of weighted rows. @throws `invalid_request` for impossible counts
 */
export function correctRate(judged: JudgedRate, { confidence = 0.95 }: IntervalOptions = {}): CorrectedRate | null {
  checkShare("confidence", confidence)
  for (const [name, { count, n }] of Object.entries(judged) as [string, RateCount][])
    checkArgument(count >= 0 && count <= n && n < Infinity, name, count, `a count from 0 to n, which is ${n}`)
  const { apparent, sensitivity, specificity } = judged
  if (apparent.n === 0 || sensitivity.n === 0 || specificity.n === 0) return null
  const youden = shareOf(sensitivity) + shareOf(specificity) - 1
  const z = normalQuantile(0.5 + confidence / 2)
  // The counts of the interval are moved towards the middle, as in Agresti and Coull's interval of a rate.
  const seen = { count: apparent.count + (z * z) / 2, n: apparent.n + z * z }
  const found = { count: sensitivity.count + 1, n: sensitivity.n + 2 }
  const kept = { count: specificity.count + 1, n: specificity.n + 2 }
  const better = shareOf(found) + shareOf(kept) - 1
  if (youden <= 0 || better <= 0) return null
  const middle = (shareOf(seen) + shareOf(kept) - 1) / better
  const shift = 2 * z * z * (middle * varianceOf(found) - (1 - middle) * varianceOf(kept))
  const error = Math.sqrt(varianceOf(seen) + middle ** 2 * varianceOf(found) + (1 - middle) ** 2 * varianceOf(kept))
  const reach = (z * error) / better
  return {
    rate: within((shareOf(apparent) + shareOf(specificity) - 1) / youden),
    interval: {
      low: within(middle + shift - reach),
      high: within(middle + shift + reach),
      confidence,
      method: "lang-reiczigel",
    },
  }
}

function shareOf({ count, n }: RateCount): number {
  return count / n
}

function varianceOf({ count, n }: RateCount): number {
  return ((count / n) * (1 - count / n)) / n
}

function within(rate: number): number {
  return Math.min(1, Math.max(0, rate))
}
