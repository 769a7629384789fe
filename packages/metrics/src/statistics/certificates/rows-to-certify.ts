import { checkArgument, checkShare } from "../check-argument.ts"
import { betaProbability } from "../distributions/beta-distribution.ts"
import { pRateAboveLimit } from "./rate-bounds.ts"

const MAX_ROWS = 10_000_000

/**
 * Returns the smallest number of rows that would certify a limit at level `alpha` if faults continue at `rate`, rounded up to
 * whole faults: a limit of 5 % takes 59 rows without a fault.
 *
 * Returns Infinity if the rate is not below the limit, or if ten million rows are not enough. The result is an
 * expectation, not a promise: after these rows, another rate may have been seen. Throws `invalid_request`.
 */
export function rowsToCertify(limit: number, rate: number, alpha = 0.05): number {
  checkShare("limit", limit)
  checkShare("alpha", alpha)
  checkArgument(rate >= 0 && rate <= 1, "rate", rate, "a number from 0 to 1")
  if (rate >= limit) return Infinity
  // A fraction of a fault makes the p-value smooth. It is then at most that of whole faults, so no smaller n is enough.
  const smooth = (n: number) => betaProbability(1 - limit, n * (1 - rate), n * rate + 1) <= alpha
  const from = smallestWith(smooth, 1)
  return from === Infinity ? Infinity : certifyWholeFaults(from, { limit, rate, alpha })
}

/** Tries the numbers of faults from those of `from` rows on. The p-value falls with the rows between two faults. */
function certifyWholeFaults(from: number, target: { limit: number; rate: number; alpha: number }): number {
  const { limit, rate, alpha } = target
  const faultsIn = (n: number) => Math.ceil(n * rate - 1e-9)
  for (let n = from; n <= MAX_ROWS;) {
    const count = faultsIn(n)
    const enough = smallestWith((rows) => pRateAboveLimit({ count, n: Math.max(rows, count) }, limit) <= alpha, n)
    if (enough === Infinity || faultsIn(enough) === count) return enough
    // The next fault comes first.
    n = firstAfter(n, (rows) => faultsIn(rows) > count)
  }
  return Infinity
}

/** Returns the smallest number from `from` on that holds, if all above it hold too, or Infinity above the maximum. */
function smallestWith(holds: (n: number) => boolean, from: number): number {
  let step = 1
  while (!holds(from - 1 + step)) {
    if (from + step > MAX_ROWS) return Infinity
    step *= 2
  }
  let low = from - 1 + Math.floor(step / 2)
  let high = from - 1 + step
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle
  }
  return high
}

function firstAfter(n: number, holds: (n: number) => boolean): number {
  return smallestWith(holds, n + 1)
}
