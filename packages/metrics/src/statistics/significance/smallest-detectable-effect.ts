import { checkArgument } from "../check-argument.ts"
import { checkShare } from "../check-share.ts"
import { studentQuantile } from "../distributions/student-quantile.ts"

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
