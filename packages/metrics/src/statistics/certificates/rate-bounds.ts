import { checkArgument, checkShare } from "../check-argument.ts"
import { betaProbability, betaQuantile } from "../distributions/beta-distribution.ts"

/** How many of `n` independent rows had a fault, such as safe prompts that were blocked. */
export interface RateCounts {
  readonly count: number
  readonly n: number
}

/**
 * Returns the p-value of the hypothesis that the true rate is above `limit`: the probability of at most `count` faults in `n`
 * rows if the rate is exactly `limit`. A small value is evidence that the rate keeps the limit. Without rows it is 1.
 *
 * If the true rate is above the limit, the p-value is at most `a` with a probability of at most `a`, for each `a` and `n`: it
 * is exact and needs no large sample. It keeps its relative accuracy for small values and a million rows. Source: the
 * binomial distribution function as an incomplete beta function, DLMF 8.17.5. Throws `invalid_request`.
 */
export function pRateAboveLimit({ count, n }: RateCounts, limit: number): number {
  checkCounts(count, n)
  checkShare("limit", limit)
  return count === n ? 1 : betaProbability(1 - limit, n - count, count + 1)
}

/**
 * Returns the p-value of the hypothesis that the true rate is at most `limit`: the probability of at least `count` faults in
 * `n` rows if the rate is exactly `limit`. A small value is evidence that the rate is above the limit. Source: as
 * {@link pRateAboveLimit}. Throws `invalid_request`.
 */
export function pRateWithinLimit({ count, n }: RateCounts, limit: number): number {
  checkCounts(count, n)
  checkShare("limit", limit)
  return count === 0 ? 1 : betaProbability(limit, count, n - count + 1)
}

/**
 * Returns the number that the true rate is at most, with a confidence of 1 − `alpha`: the smallest limit at which
 * {@link pRateAboveLimit} is at most `alpha`. Without rows it is 1.
 *
 * It is the upper end of a one-sided interval. The upper end of a two-sided interval of the same confidence is higher. Source:
 * Clopper and Pearson, Biometrika 26 (1934), 404–413. Throws `invalid_request`.
 */
export function rateUpperBound({ count, n }: RateCounts, alpha = 0.05): number {
  checkCounts(count, n)
  checkShare("alpha", alpha)
  return count === n ? 1 : betaQuantile(1 - alpha, count + 1, n - count)
}

/** Throws an `invalid_request` unless `count` of `n` is possible. Exact probabilities need whole numbers. */
function checkCounts(count: number, n: number): void {
  checkArgument(Number.isSafeInteger(n) && n >= 0, "n", n, "a whole number of rows, 0 or more")
  const possible = Number.isSafeInteger(count) && count >= 0 && count <= n
  checkArgument(possible, "count", count, `a whole number from 0 to n, which is ${n}`)
}
