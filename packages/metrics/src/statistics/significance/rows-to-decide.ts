import { checkShare } from "../check-share.ts"
import { normalQuantile } from "../distributions/normal-quantile.ts"
import type { IntervalOptions } from "../intervals/interval.ts"

/**
 * How many rows it takes until Wilson's interval around `rate` no longer holds `limit`: until a gate on the limit can pass
 * or fail. With fewer, the set is too small for the question: a limit of 5 % takes 73 rows even if none is blocked.
 *
 * Infinity where rate and limit are the same. Throws `invalid_request` for a limit that is not between 0 and 1.
 */
export function rowsToDecide(limit: number, rate = 0, { confidence = 0.95 }: IntervalOptions = {}): number {
  checkShare("limit", limit)
  checkShare("confidence", confidence)
  const z = normalQuantile(0.5 + confidence / 2)
  // Wilson's bounds are the limits at which the score test just rejects; solved for the number of rows.
  return Math.ceil((z * z * limit * (1 - limit)) / (limit - rate) ** 2)
}
