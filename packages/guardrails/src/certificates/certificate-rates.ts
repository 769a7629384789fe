import { rateUpperBound, type RateCounts } from "@assay/metrics"
import { formatShare } from "@assay/reports"
import type { Certificate } from "@assay/schemas"

/** A rate with exact bounds. */
export interface BoundedRate extends RateCounts {
  /** Null without rows. */
  readonly rate: number | null
  readonly low: number
  readonly high: number
}

/** Returns a rate with exact bounds, each at a confidence of 1 − alpha: a candidate is certified only if the high end is within its limit. */
export function boundRate({ count, n }: RateCounts, alpha: number): BoundedRate {
  const high = rateUpperBound({ count, n }, alpha)
  const low = 1 - rateUpperBound({ count: n - count, n }, alpha)
  return { count, n, rate: n === 0 ? null : count / n, low: n === 0 ? 0 : low, high }
}

/** Returns the rates of a certified candidate on the certification rows. */
export function ratesOf(
  { certification }: Certificate["candidates"][number],
  alpha: number,
): { readonly false_block: BoundedRate; readonly miss: BoundedRate } {
  return { false_block: boundRate(certification.false_block, alpha), miss: boundRate(certification.miss, alpha) }
}

/** Formats a rate with its bounds: `11 of 90 (12 %, 7.1 to 19 %)`. */
export function formatBoundedRate({ count, n, rate, low, high }: BoundedRate): string {
  if (rate === null) return "0 of 0 (unknown)"
  return `${count} of ${n} (${formatShare(rate)}, ${formatShare(low)} to ${formatShare(high)})`
}
