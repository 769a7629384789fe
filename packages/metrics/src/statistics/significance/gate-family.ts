import { betaProbability, studentQuantile } from "../distributions/beta-distribution.ts"
import { normalProbability } from "../distributions/normal-distribution.ts"
import type { Interval } from "../intervals/interval.ts"
import { gate, type GateLimit, type GateVerdict } from "./gate.ts"

/** A mean that is compared with a limit together with others. */
export interface GateOfFamily {
  readonly mean: number
  /** Null: there are too few rows for an interval. */
  readonly interval: (Omit<Interval, "method"> & { readonly method: string }) | null
  /** The number of rows. */
  readonly n: number
  readonly limit: GateLimit
}

/**
 * Compares several means with their limits. A single gate is decided by its interval, as {@link gate} does. Several gates are decided by
 * Holm's procedure on their p-values, so that the probability of any wrong verdict among them is at most 1 − the confidence of the
 * intervals: one that its own interval just decides can be INCONCLUSIVE among others.
 *
 * Source: Holm, Scandinavian Journal of Statistics 6 (1979), 65–70. The p-value of a rate with Wilson's interval is that of the
 * score test, of which the interval is the inverse. For other intervals it is that of Student's t, scaled so that it reaches
 * 1 − confidence where the interval ends.
 */
export function gateFamily(gates: readonly GateOfFamily[]): readonly GateVerdict[] {
  const family = gates.map((one, at) => ({ at, verdict: gate(one.interval, one.limit), p: pValue(one) }))
  const decided = new Set<number>()
  const alpha = 1 - (gates.find(({ interval }) => interval !== null)?.interval?.confidence ?? 0.95)
  let left = family.length
  for (const { at, p } of family.toSorted((a, b) => a.p - b.p)) {
    // A single gate has no p-value to agree with its interval in the last digit.
    if (family.length > 1 && p > alpha / left) break
    decided.add(at)
    left--
  }
  return family.map(({ at, verdict }) => (decided.has(at) ? verdict : "INCONCLUSIVE"))
}

/** Returns the two-sided p-value of the hypothesis that the true mean is the limit. */
function pValue({ mean, interval, n, limit }: GateOfFamily): number {
  if (interval === null) return 1
  const bound = "atMost" in limit ? limit.atMost : limit.atLeast
  const distance = Math.abs(mean - bound)
  if (distance === 0) return 1
  if (interval.method === "wilson") {
    const variance = (bound * (1 - bound)) / n
    return variance > 0 ? 2 * normalProbability(-distance / Math.sqrt(variance)) : 0
  }
  const width = bound < mean ? mean - interval.low : interval.high - mean
  const freedom = Math.max(1, n - 1)
  const t = (studentQuantile(0.5 + interval.confidence / 2, freedom) * distance) / width
  return betaProbability(freedom / (freedom + t * t), freedom / 2, 0.5)
}
