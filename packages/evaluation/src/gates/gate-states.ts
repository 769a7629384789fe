import { worstVerdict } from "@assay/metrics"
import { formatInteger } from "@assay/reports"
import type { EvaluationResult, JobGateState } from "@assay/schemas"
import { type JobProgress, resultScores, scoreGates } from "@assay/results"
import type { PlannedGate } from "./plan-gates.ts"

/**
 * Returns all gates of a job that has ended. Those that were not watched are compared with the intervals of the result: gates that are
 * not early, and early ones on a score with a value out of range. A watched one is INCONCLUSIVE too if too many asked rows have no score.
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
  const compared = scoreGates.check(
    result,
    found.flatMap(({ gate, state }) => (state === undefined && gate.against === undefined ? [gate] : [])),
  )
  let next = 0
  return found.flatMap(({ gate, state }): readonly JobGateState[] => {
    if (state !== undefined) return [ifScored(state, gate, result)]
    if (gate.against !== undefined) return [undecided(gate)]
    const outcome = compared[next++]
    return outcome === undefined
      ? []
      : [{ ...outcome, stop: "never", alpha: gate.isOnTheseRows ? 0 : 0.05, decided_after: null }]
  })
}

function ifScored(state: JobGateState, gate: PlannedGate, result: EvaluationResult): JobGateState {
  const score = resultScores.find(resultScores.list(result), gate.scoreName)?.found
  const reason = score === undefined ? undefined : scoreGates.unscoredReason(score, gate.maxUnscored)
  return reason === undefined || state.verdict === null ? state : { ...state, verdict: "INCONCLUSIVE", reason }
}

/** Differences have no interval in the result. One that is out of range is not compared. */
function undecided(gate: PlannedGate): JobGateState {
  const { name, alpha } = gate
  const nothing = { value: "NaN", low: null, high: null, verdict: "INCONCLUSIVE", decided_after: null } as const
  return { name, limit: scoreGates.formatLimit(gate.limit), ...nothing, stop: "early", alpha }
}

/** Returns `PASS after 120 of 5,000 rows; 97.6 % of the calls saved`; undefined if the job asked all rows. */
export function describeEarlyStop({ gates = [], stoppedEarly }: JobProgress): string | undefined {
  if (stoppedEarly === undefined) return undefined
  const { rows, rows_total: total } = stoppedEarly
  const verdict = worstVerdict(gates.map((gate) => gate.verdict)) ?? "INCONCLUSIVE"
  const saved = ((100 * (total - rows)) / total).toFixed(1)
  return `${verdict} after ${formatInteger(rows)} of ${formatInteger(total)} rows; ${saved} % of the calls saved`
}

/**
 * Returns why a job with early gates asked all rows; undefined for a job without early gates, and for one that ended early. Names the gate
 * that prevented it: one that is not early in a task with early gates, one with a value out of range, one that the rows do not decide, or
 * the one that was decided last.
 */
export function describeAllAsked(
  planned: readonly PlannedGate[],
  { gates = [], stoppedEarly }: Pick<JobProgress, "gates" | "stoppedEarly">,
): string | undefined {
  const early = planned.filter(({ isEarly }) => isEarly)
  const [first] = early
  if (first === undefined || stoppedEarly !== undefined) return undefined
  const named = ({ name, limit, isOnTheseRows }: PlannedGate) =>
    `'${name} ${scoreGates.formatLimit(limit, isOnTheseRows)}'`
  const fixed = planned.find((gate) => !gate.isEarly && early.some(({ task }) => task === gate.task))
  if (fixed !== undefined) {
    const why = fixed.isOnTheseRows ? "needs all of them" : 'has no "stop": "early"'
    return `All rows were asked: the gate ${named(fixed)} ${why}.`
  }
  const stateOf = (gate: PlannedGate) =>
    gates.find(
      ({ name, limit, stop }) => stop === "early" && name === gate.name && limit === scoreGates.formatLimit(gate.limit),
    )
  const broken = early.find((gate) => stateOf(gate) === undefined)
  if (broken !== undefined) {
    const [low, high] = broken.range
    return `All rows were asked: the gate ${named(broken)} had a value that is not within [${low}, ${high}]; give it the right "range".`
  }
  const open = early.find((gate) => stateOf(gate)?.decided_after === null)
  if (open !== undefined) return `All rows were asked: they do not decide the gate ${named(open)} before the last one.`
  const after = (gate: PlannedGate) => stateOf(gate)?.decided_after ?? 0
  const last = early.reduce((latest, gate) => (after(gate) > after(latest) ? gate : latest), first)
  return `All rows were asked: the gate ${named(last)} was decided after ${formatInteger(after(last))} rows, when all others were asked already.`
}
