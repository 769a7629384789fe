import { checkShare } from "../check-share.ts"
import { betaQuantile } from "../distributions/beta-quantile.ts"
import { checkCounts } from "./check-counts.ts"
import type { Interval, IntervalOptions } from "./interval.ts"

/**
 * Where the true rate lies, with at least the confidence asked for whatever the rate is: wider than Wilson's.
 * Nothing seen is the whole of 0 to 1. Source: Clopper and Pearson, Biometrika 26 (1934), 404–413. Throws `invalid_request`.
 */
export function clopperPearsonInterval(
  successes: number,
  n: number,
  { confidence = 0.95 }: IntervalOptions = {},
): Interval {
  checkCounts(successes, n)
  checkShare("confidence", confidence)
  const tail = (1 - confidence) / 2
  const failures = n - successes
  return {
    low: successes === 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    high: failures === 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
    confidence,
    method: "clopper-pearson",
  }
}
