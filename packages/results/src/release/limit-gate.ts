import { gate, type GateLimit, gateTest, normalQuantile } from "@assay/metrics"
import type { PolicyLimit } from "@assay/schemas"
import { rowsNeeded } from "../compare/rows-needed.ts"
import { comparedScore, formatLimit } from "../scores/check-gates.ts"
import type { NamedScore } from "../scores/list-scores.ts"
import type { GateToDecide } from "./gate-to-decide.ts"

/** Prepares a gate that compares a score with a limit. */
export function limitGate(policy: PolicyLimit, score: NamedScore, scores: readonly NamedScore[]): GateToDecide {
  const { op, value: bound, isCorrected, isOnTheseRows, maxUnscored } = policy
  const limit: GateLimit = op === ">=" ? { atLeast: bound } : { atMost: bound }
  const compared = comparedScore(score, scores, { limit, isCorrected, isOnTheseRows, maxUnscored })
  const { name, value, range, reason, verdict, mean } = compared
  const state = {
    name,
    limit: formatLimit(limit, isOnTheseRows),
    value,
    low: range?.low ?? null,
    high: range?.high ?? null,
    rows: mean === undefined ? null : mean.n,
    ...(reason === undefined ? {} : { reason }),
  }
  if (verdict !== undefined) return { state, fixed: verdict }
  if (reason !== undefined) return { state, fixed: "INCONCLUSIVE" }
  if (mean === undefined) return { state, fixed: gate(range, limit) }
  const { interval, units = mean.n } = mean
  return {
    state,
    test: gateTest({ ...mean, limit }),
    rowsNeeded(level) {
      if (interval === null) return null
      // The interval at another level is about as much wider as that of a normal mean.
      const wider = normalQuantile(1 - level / 2) / normalQuantile(0.5 + interval.confidence / 2)
      const { mean: center } = mean
      const widened = { low: center - (center - interval.low) * wider, high: center + (interval.high - center) * wider }
      return rowsNeeded({ rows: Math.ceil(units), difference: center, interval: widened, limit: bound })
    },
  }
}
