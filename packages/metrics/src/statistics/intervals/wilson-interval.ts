import { checkShare } from "../check-share.ts"
import { normalQuantile } from "../distributions/normal-quantile.ts"
import { checkCounts } from "./check-counts.ts"
import type { Interval, IntervalOptions } from "./interval.ts"

/**
 * Where the true rate lies when `successes` of `n` rows were seen: Wilson's score interval, without continuity correction.
 *
 * It never leaves 0 to 1 and is honest at the ends: 0 of 50 still allows 7 %. Nothing seen is the whole of 0 to 1. Rows
 * have to be independent of each other. Source: Wilson, JASA 22 (1927), 209–212. Throws `invalid_request`.
 */
export function wilsonInterval(successes: number, n: number, { confidence = 0.95 }: IntervalOptions = {}): Interval {
  checkCounts(successes, n)
  checkShare("confidence", confidence)
  if (n === 0) return { low: 0, high: 1, confidence, method: "wilson" }
  const z = normalQuantile(0.5 + confidence / 2)
  const failures = n - successes
  const centre = (successes + (z * z) / 2) / (n + z * z)
  const reach = (z / (n + z * z)) * Math.sqrt((successes * failures) / n + (z * z) / 4)
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - reach),
    high: failures === 0 ? 1 : Math.min(1, centre + reach),
    confidence,
    method: "wilson",
  }
}
