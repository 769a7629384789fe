import { gate, type GateLimit, gateTest, type LevelledTest, normalQuantile } from "@assay/metrics"
import type { JobGateState } from "@assay/schemas"
import type { PolicyLimit } from "@assay/evaluation-files"
import { rowsNeeded } from "../compare/rows-needed.ts"
import { comparedScore, formatLimit } from "../scores/check-gates.ts"
import type { NamedScore } from "../scores/list-scores.ts"
import type { GateToDecide } from "./gate-to-decide.ts"

interface ComparedResults {
  readonly scores: readonly NamedScore[]
  /** The gates of the job itself. */
  readonly decided?: readonly JobGateState[] | undefined
}

/** Prepares a gate that compares a score with a limit. If the same gate could end the job, its verdict counts. */
export function limitGate(
  policy: PolicyLimit,
  score: NamedScore,
  { scores, decided = [] }: ComparedResults,
): GateToDecide {
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
  const own = decided.find(({ stop, name, limit }) => stop === "early" && name === state.name && limit === state.limit)
  return {
    state,
    test: own === undefined ? gateTest({ ...mean, limit }) : earlyTest(own, gateTest({ ...mean, limit })),
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

/** The alpha of a gate is a quotient that was rounded. */
const ROUNDING = 1e-9

/**
 * Returns the test of a gate that could end the job. Its verdict counts from its own alpha on. At a smaller level, the interval of the results decides, if it says
 * the same: so a smaller level decides nothing that a larger one leaves open.
 */
function earlyTest({ alpha, verdict }: JobGateState, byInterval: LevelledTest): LevelledTest {
  const own = verdict ?? "INCONCLUSIVE"
  return (level) => (level >= alpha * (1 - ROUNDING) || byInterval(level) === own ? own : "INCONCLUSIVE")
}
