import { worstVerdict } from "@assay/metrics"
import { formatInteger } from "@assay/reports"
import type { EvaluationResult } from "@assay/schemas"
import type { JobGateState } from "@assay/schemas/gates"
import type { JobProgress } from "../jobs/job-progress.ts"
import { checkGates } from "../results/scores/check-gates.ts"
import { formatLimit } from "./gate-watch.ts"
import type { PlannedGate } from "./plan-gates.ts"

/**
 * Returns all gates of a job that has ended. Those that were not watched are compared with the intervals of the result: gates that are
 * not early, and early ones on a score with a value out of range.
 */
export function gateStates(
  gates: readonly PlannedGate[],
  { gates: watched = [] }: Pick<JobProgress, "gates">,
  result: EvaluationResult,
): readonly JobGateState[] {
  const left = [...watched]
  const found = gates.map((gate) => {
    const at = gate.isEarly ? left.findIndex(({ name }) => name === gate.name) : -1
    return { gate, state: at === -1 ? undefined : left.splice(at, 1)[0] }
  })
  const compared = checkGates(
    result,
    found.flatMap(({ gate, state }) => (state === undefined && gate.against === undefined ? [gate] : [])),
  )
  let next = 0
  return found.flatMap(({ gate, state }): readonly JobGateState[] => {
    if (state !== undefined) return [state]
    if (gate.against !== undefined) return [undecided(gate)]
    const outcome = compared[next++]
    return outcome === undefined ? [] : [{ ...outcome, stop: "never", alpha: 0.05, decided_after: null }]
  })
}

/** Differences have no interval in the result. One that is out of range is not compared. */
function undecided(gate: PlannedGate): JobGateState {
  const { name, alpha } = gate
  const nothing = { value: "NaN", low: null, high: null, verdict: "INCONCLUSIVE", decided_after: null } as const
  return { name, limit: formatLimit(gate), ...nothing, stop: "early", alpha }
}

/** Returns `PASS after 120 of 5,000 rows; 97.6 % of the calls saved`; undefined if the job asked all rows. */
export function describeEarlyStop({ gates = [], stoppedEarly }: JobProgress): string | undefined {
  if (stoppedEarly === undefined) return undefined
  const { rows, rows_total: total } = stoppedEarly
  const verdict = worstVerdict(gates.map((gate) => gate.verdict)) ?? "INCONCLUSIVE"
  const saved = ((100 * (total - rows)) / total).toFixed(1)
  return `${verdict} after ${formatInteger(rows)} of ${formatInteger(total)} rows; ${saved} % of the calls saved`
}
