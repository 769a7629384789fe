import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import { studentQuantile } from "../distributions/student-quantile.ts"
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

export interface DetectableEffectOptions {
  /** Of the two-sided test that shall find the effect; 0.95 when not given. */
  readonly confidence?: number
  /** How often it shall be found; 0.8 when not given. */
  readonly power?: number
  /** Of the standard error: the pairs less one. Infinite when not given. */
  readonly degreesOfFreedom?: number
}

/**
 * The smallest true effect that a comparison with this standard error finds four times out of five. What is smaller may
 * well be there and stay unseen.
 *
 * The standard error of paired differences is their sample deviation / √n; that of a rate, √(rate (1 − rate) / n); that of two
 * independent things, √(a² + b²). Source: Bloom, Evaluation Review 19 (1995), minimum detectable effects. Throws
 * `invalid_request`.
 */
export function smallestDetectableEffect(standardError: number, options: DetectableEffectOptions = {}): number {
  const { confidence = 0.95, power = 0.8, degreesOfFreedom = Infinity } = options
  checkArgument(standardError >= 0, "standardError", standardError, "a number, 0 or more")
  checkArgument(degreesOfFreedom > 0, "degreesOfFreedom", degreesOfFreedom, "a number above 0")
  checkShare("confidence", confidence)
  checkShare("power", power)
  const found = studentQuantile(0.5 + confidence / 2, degreesOfFreedom)
  return (found + studentQuantile(power, degreesOfFreedom)) * standardError
}
