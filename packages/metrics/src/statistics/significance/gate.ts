import type { Interval } from "../intervals/interval.ts"

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

/** Returns the worst of several verdicts, or null if there are none. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict | null {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? null
}
