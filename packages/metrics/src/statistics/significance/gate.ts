import { checkArgument, checkShare } from "../check-argument.ts"
import { studentQuantile } from "../distributions/beta-distribution.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"

export type GateVerdict = "PASS" | "INCONCLUSIVE" | "FAIL"

/** The limit of a value: a rate of faults has an `atMost`, a score an `atLeast`. */
export type GateLimit = { readonly atMost: number } | { readonly atLeast: number }

/**
 * Compares an interval with a limit. Returns PASS if the whole interval keeps the limit, FAIL if no part of it does, and
 * INCONCLUSIVE if the limit lies inside the interval or there is no interval. Only more rows can decide the last case.
 */
export function gate(interval: Pick<Interval, "low" | "high"> | null, limit: GateLimit): GateVerdict {
  if (interval === null) return "INCONCLUSIVE"
  const { low, high } = interval
  if ("atMost" in limit) return high <= limit.atMost ? "PASS" : low > limit.atMost ? "FAIL" : "INCONCLUSIVE"
  return low >= limit.atLeast ? "PASS" : high < limit.atLeast ? "FAIL" : "INCONCLUSIVE"
}

const WORST_FIRST: readonly GateVerdict[] = ["FAIL", "INCONCLUSIVE", "PASS"]

/** Returns the worst of several verdicts, or null if there are none. A gate without a verdict counts as INCONCLUSIVE. */
export function worstVerdict(verdicts: readonly (GateVerdict | null)[]): GateVerdict | null {
  return WORST_FIRST.find((verdict) => verdicts.some((one) => (one ?? "INCONCLUSIVE") === verdict)) ?? null
}

/**
 * Returns the number of rows from which on Wilson's interval around `rate` excludes `limit`, so that a gate on the limit can
 * pass or fail. A smaller set can't decide the gate: a limit of 5 % takes 73 rows even if none is blocked.
 *
 * Returns Infinity if rate and limit are equal. Throws `invalid_request` for a limit that is not between 0 and 1.
 */
export function rowsToDecide(limit: number, rate = 0, { confidence = 0.95 }: IntervalOptions = {}): number {
  checkShare("limit", limit)
  checkShare("confidence", confidence)
  const z = normalQuantile(0.5 + confidence / 2)
  // Wilson's bounds are the limits at which the score test just rejects. This is solved for the number of rows.
  return Math.ceil((z * z * limit * (1 - limit)) / (limit - rate) ** 2)
}

export interface DetectableEffectOptions {
  /** The confidence of the two-sided test that should find the effect. Default 0.95. */
  readonly confidence?: number
  /** The probability that the test finds the effect. Default 0.8. */
  readonly power?: number
  /** The degrees of freedom of the standard error: the number of pairs minus 1. Default Infinity. */
  readonly degreesOfFreedom?: number
}

/**
 * Returns the smallest true effect that a comparison with this standard error finds with a probability of `power`. A smaller
 * effect may exist and stay undetected.
 *
 * The standard error of paired differences is their sample deviation / √n, that of a rate is √(rate (1 − rate) / n), and that of
 * two independent values is √(a² + b²). Source: Bloom, Evaluation Review 19 (1995), minimum detectable effects. Throws
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
