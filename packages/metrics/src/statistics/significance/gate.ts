import type { Interval } from "../intervals/interval.ts"

export type GateVerdict = "PASS" | "INCONCLUSIVE" | "FAIL"

/** A rate of faults is to be `atMost` its limit, a score `atLeast`. */
export type GateLimit = { readonly atMost: number } | { readonly atLeast: number }

/**
 * Holds an interval, not a point, against a limit: PASS where all of it keeps the limit, FAIL where none of it does, and
 * INCONCLUSIVE where the limit lies inside, or where there is no interval: then only more rows can tell.
 */
export function gate(interval: Pick<Interval, "low" | "high"> | null, limit: GateLimit): GateVerdict {
  if (interval === null) return "INCONCLUSIVE"
  const { low, high } = interval
  if ("atMost" in limit) return high <= limit.atMost ? "PASS" : low > limit.atMost ? "FAIL" : "INCONCLUSIVE"
  return low >= limit.atLeast ? "PASS" : high < limit.atLeast ? "FAIL" : "INCONCLUSIVE"
}

const WORST_FIRST: readonly GateVerdict[] = ["FAIL", "INCONCLUSIVE", "PASS"]

/** Returns the worst of several verdicts, or null if there are none. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict | null {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? null
}
