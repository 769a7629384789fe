import { worstVerdict } from "@assay/metrics"
import { formatInteger } from "@assay/reports"
import type { EvaluationResult, JobGateState } from "@assay/schemas"
import { type JobProgress, resultScores, type ScoreGate, scoreGates } from "@assay/results"
import type { PlannedGate } from "./plan-gates.ts"

type GateOutcome = ReturnType<typeof scoreGates.check>[number]

/** Scores that a sentence names. */
const MAX_NAMES = 20

/**
 * Returns all gates of a job that has ended: those of its configuration, and then those that were given to it by their names. Those that were not watched are
 * compared with the intervals of the result: gates that are not early, and early ones on a score with a value out of range. All of these are decided
 * together. A watched one is INCONCLUSIVE too if too many asked rows have no score, and a given one if the result has no such score.
 */
export function gateStates(
  gates: readonly PlannedGate[],
  { gates: watched = [] }: Pick<JobProgress, "gates">,
  result: EvaluationResult,
  given: readonly ScoreGate[] = [],
): readonly JobGateState[] {
  const left = [...watched]
  const found = gates.map((gate) => {
    const at = gate.isEarly ? left.findIndex(({ name }) => name === gate.name) : -1
    return { gate, state: at === -1 ? undefined : left.splice(at, 1)[0] }
  })
  const scores = resultScores.list(result)
  const known = given.filter(({ name }) => resultScores.find(scores, name) !== undefined)
  const compared = scoreGates
    .check(result, [
      ...found.flatMap(({ gate, state }) => (state === undefined && gate.against === undefined ? [gate] : [])),
      ...known,
    ])
    .map(wholeState)
    .values()
  const nextCompared = () => compared.next().value ?? []
  const ofConfig = found.flatMap(({ gate, state }): JobGateState | readonly JobGateState[] => {
    if (state !== undefined) return ifScored(state, gate, result)
    return gate.against === undefined ? nextCompared() : undecided(gate)
  })
  const ofGiven = given.flatMap((gate) => (known.includes(gate) ? nextCompared() : unknownScore(gate, scores)))
  return [...ofConfig, ...ofGiven]
}

/** Returns the state of a gate that is compared once, after all rows. */
export function wholeState(outcome: GateOutcome): JobGateState {
  return { ...outcome, stop: "never", alpha: outcome.on_these_rows === true ? 0 : 0.05, decided_after: null }
}

/** Only a result says which scores a harness has, so that its gates can't be checked before. */
function unknownScore(
  { name, limit, isOnTheseRows }: ScoreGate,
  scores: readonly { readonly name: string }[],
): JobGateState {
  const names = scores.map((score) => score.name)
  const known = names.length === 0 ? "they have none" : `their scores are ${names.slice(0, MAX_NAMES).join(", ")}`
  return wholeState({
    name,
    limit: scoreGates.formatLimit(limit, isOnTheseRows),
    value: "NaN",
    low: null,
    high: null,
    verdict: "INCONCLUSIVE",
    reason: `the results have no score '${name}'; ${known}.`,
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
