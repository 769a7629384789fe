import type { GateVerdict } from "@assay/metrics"

const WORST_FIRST: readonly GateVerdict[] = ["FAIL", "INCONCLUSIVE", "PASS"]

/** The worst of several verdicts; null of none. */
export function worstVerdict(verdicts: readonly GateVerdict[]): GateVerdict | null {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? null
}
