import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"

/** A count among rows. */
export interface RateCount {
  readonly count: number
  readonly n: number
}

/** The verdicts of a judge with two verdicts, and how often labels agree with them. */
export interface JudgedRate {
  /** Rows that the judge calls positive, among all rows. */
  readonly apparent: RateCount
  /** Rows that the judge calls positive, among those that are positive by their label. */
  readonly sensitivity: RateCount
  /** Rows that the judge calls negative, among those that are negative by their label. */
  readonly specificity: RateCount
}

/** A corrected rate, or why there is none. */
export type CorrectedRate =
  | { readonly rate: number; readonly interval: Interval; readonly reason: null }
  | { readonly rate: null; readonly interval: null; readonly reason: string }

/**
 * Returns the true rate behind a judge's verdicts, from its sensitivity and specificity. There is none if labels of one kind are missing, if
 * the judge does no better than chance, because its verdicts then say nothing, and if the estimate is not a rate: the judge's errors on labelled rows
 * then do not explain its verdicts on all rows.
 *
 * The estimate is Rogan and Gladen's (American Journal of Epidemiology 107, 1978, 71–76). The interval is that of Lang and
 * Reiczigel (Preventive Veterinary Medicine 113, 2014, 13–22), for a sensitivity and a specificity that are estimates themselves, within 0 to 1. Counts need not be
 * whole: they may be of weighted rows. @throws `invalid_request` for impossible counts
 */
export function correctRate(judged: JudgedRate, { confidence = 0.95 }: IntervalOptions = {}): CorrectedRate {
  checkShare("confidence", confidence)
  for (const [name, { count, n }] of Object.entries(judged) as [string, RateCount][])
    checkArgument(count >= 0 && count <= n && n < Infinity, name, count, `a count from 0 to n, which is ${n}`)
  const { apparent, sensitivity, specificity } = judged
  if (apparent.n === 0) return none("No row has a verdict.")
  if (sensitivity.n === 0) return none("No label is positive.")
  if (specificity.n === 0) return none("No label is negative.")
  const youden = shareOf(sensitivity) + shareOf(specificity) - 1
  const z = normalQuantile(0.5 + confidence / 2)
  // The counts of the interval are moved towards the middle, as in Agresti and Coull's interval of a rate.
  const seen = { count: apparent.count + (z * z) / 2, n: apparent.n + z * z }
  const found = { count: sensitivity.count + 1, n: sensitivity.n + 2 }
  const kept = { count: specificity.count + 1, n: specificity.n + 2 }
  const better = shareOf(found) + shareOf(kept) - 1
  if (youden <= 0 || better <= 0) return none("By the labels, the judge does no better than chance.")
  const rate = (shareOf(apparent) + shareOf(specificity) - 1) / youden
  if (rate < -ROUNDING || rate > 1 + ROUNDING) return none(describeOutside(judged, rate))
  const middle = (shareOf(seen) + shareOf(kept) - 1) / better
  const shift = 2 * z * z * (middle * varianceOf(found) - (1 - middle) * varianceOf(kept))
  const error = Math.sqrt(varianceOf(seen) + middle ** 2 * varianceOf(found) + (1 - middle) ** 2 * varianceOf(kept))
  const reach = (z * error) / better
  return {
    rate: within(rate),
    interval: {
      // The estimate of the interval is not that of the rate, and can lie beyond it.
      low: within(Math.min(middle + shift - reach, rate)),
      high: within(Math.max(middle + shift + reach, rate)),
      confidence,
      method: "lang-reiczigel",
    },
    reason: null,
  }
}

const ROUNDING = 1e-12

function none(reason: string): CorrectedRate {
  return { rate: null, interval: null, reason }
}

function describeOutside({ apparent, sensitivity, specificity }: JudgedRate, rate: number): string {
  const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`
  const found = shareOf(apparent)
  const than =
    rate < 0
      ? `less than the ${percent(1 - shareOf(specificity))} of negative labels`
      : `more than the ${percent(shareOf(sensitivity))} of positive labels`
  return `The judge calls ${percent(found)} of all rows positive, ${than} that it calls positive: no true rate explains both.`
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
