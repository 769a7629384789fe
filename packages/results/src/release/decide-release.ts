import { decideTogether, type JointVerdict, worstVerdict } from "@assay/metrics"
import {
  AssayError,
  nearestNames,
  type JobGateState,
  printable,
  type ReleaseEvaluationState,
  type ReleaseGateState,
  type ReleaseReport,
} from "@assay/schemas"
import type { PolicyEvaluation, PolicyGate } from "@assay/evaluation-files"
import { changedIdentity } from "../compare/changed-identity.ts"
import {
  biasedByGates,
  type JobToCompare,
  datasetWarnings,
  type JobValues,
  readJobValues,
  scoreKey,
} from "../compare/job-to-compare.ts"
import { sameRows, taskWithScore } from "../compare/compare-side.ts"
import type { ScorePair } from "../compare/compare-score.ts"
import { findScore, isAmount, listScores, type NamedScore } from "../scores/list-scores.ts"
import { comparisonGate } from "./comparison-gate.ts"
import { countTests } from "./count-tests.ts"
import { decidedGate, type GateToDecide } from "./gate-to-decide.ts"
import { limitFault } from "../scores/limit-fault.ts"
import { limitGate } from "./limit-gate.ts"
import { releaseMessage } from "./release-message.ts"

/** An evaluation of a policy with its results. */
export interface ReleaseEvaluation {
  readonly policy: PolicyEvaluation
  /** The results, or why there are none. */
  readonly results: JobToCompare | string
  /** The older results, or why there are none. Undefined: the policy names none. */
  readonly against?: JobToCompare | string | undefined
  /** The gates of the job itself, as its rows decide them. A limit that could end the job is decided by its own gate. Default: none. */
  readonly decided?: readonly JobGateState[] | undefined
  /** Notes on the results for readers of the verdict. */
  readonly warnings?: readonly string[]
}

export interface DecideReleaseOptions {
  readonly alpha: number
  /** The number of tests of other evaluations, which are not decided yet. Default 0. */
  readonly others?: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Decides a release policy. The gates of critical and supporting evaluations are decided together by Holm's procedure, so that any wrong verdict among them has
 * a probability of at most alpha. Those of advisory ones are decided one by one, and block nothing. Missing results of an evaluation that blocks make the verdict FAIL,
 * and its gates count as undecided ones. An early gate of a job is decided from its own alpha on.
 * Memory: 8 bytes for each score and row of two jobs at a time, and for each gate.
 *
 * @throws `bad_document` for a gate on a score that results do not have
 */
export async function decideRelease(
  evaluations: readonly ReleaseEvaluation[],
  { alpha, others = 0, signal }: DecideReleaseOptions,
): Promise<ReleaseReport> {
  const prepared: Prepared[] = []
  for (const one of evaluations) prepared.push(await prepare(one, signal))
  const blocking = prepared.flatMap(({ policy, gates }) => (blocks(policy) ? gates.filter(hasTest) : []))
  const waiting = prepared.flatMap(({ policy, missing }) =>
    blocks(policy) && missing !== undefined ? countTests(policy) : [],
  )
  const undecided = Array.from({ length: waiting.reduce((sum, count) => sum + count, others) }, () => open)
  const joint = decideTogether([...blocking.map(({ test }) => test), ...undecided], alpha)
  const jointOf = new Map<GateToDecide, JointVerdict | undefined>(blocking.map((one, at) => [one, joint[at]]))
  const alone = (one: GateToDecide) => (hasTest(one) ? decideTogether([one.test], alpha)[0] : undefined)
  const states = prepared.map(({ policy, gates, missing, warnings }): ReleaseEvaluationState => {
    const decided = gates.map((one) => decidedGate(one, blocks(policy) ? jointOf.get(one) : alone(one)))
    const { name, tier } = policy
    if (missing !== undefined) return { name, tier, state: "MISSING", reason: missing, gates: [], warnings }
    return { name, tier, state: stateOf(decided), gates: decided, warnings }
  })
  const ofBlocking = states.filter(blocks).map(({ state }) => (state === "MISSING" ? "FAIL" : state))
  // A policy that blocks nothing passes, unless it has looked at nothing.
  const isEmpty = states.every(({ state }) => state === "MISSING")
  const verdict = worstVerdict(ofBlocking) ?? (isEmpty ? "INCONCLUSIVE" : "PASS")
  return { verdict, alpha, message: releaseMessage(verdict, states), evaluations: states }
}

/** The test of a gate without results. */
const open = () => "INCONCLUSIVE" as const

interface Prepared {
  readonly policy: PolicyEvaluation
  readonly gates: readonly GateToDecide[]
  readonly missing?: string
  readonly warnings: readonly string[]
}

function blocks({ tier }: Pick<PolicyEvaluation, "tier">): boolean {
  return tier !== "advisory"
}

function hasTest(gate: GateToDecide): gate is GateToDecide & Required<Pick<GateToDecide, "test">> {
  return gate.test !== undefined
}

function stateOf(gates: readonly ReleaseGateState[]): ReleaseEvaluationState["state"] {
  return worstVerdict(gates.map(({ verdict }) => verdict ?? "INCONCLUSIVE")) ?? "INCONCLUSIVE"
}

async function prepare(
  { policy, results, against, decided, warnings: known = [] }: ReleaseEvaluation,
  signal: AbortSignal | undefined,
): Promise<Prepared> {
  const missing = [results, against].find((one) => typeof one === "string")
  if (typeof results === "string" || typeof against === "string")
    return { policy, gates: [], warnings: known, ...(missing === undefined ? {} : { missing }) }
  const scores = listScores(results.result)
  const compares = against !== undefined && policy.gates.some(({ kind }) => kind === "comparison")
  const sides = compares
    ? { own: await readJobValues(results, { signal }), older: await readJobValues(against, { signal }) }
    : undefined
  const gates = policy.gates.flatMap((gate) => {
    const named = scoresOfGate(gate, scores, results)
    if (gate.kind === "limit") {
      for (const score of named) checkLimit(gate, score, results)
      return named.map((score) => limitGate(gate, score, { scores, decided }))
    }
    if (against === undefined || sides === undefined) return []
    return named.map((score) => {
      const pair = pairOf(score, sides.older, sides.own)
      const changed = changedIdentity(against, results, score)
      const isItself = against.id === results.id
      const { config } = results
      return comparisonGate(gate, { score, config, against: policy.against ?? "", pair, isItself, changed })
    })
  })
  const ofPair =
    against === undefined ? [] : [...datasetWarnings(against, results), ...biasedByGates([against, results])]
  const warnings = [...known, ...ofPair, ...gates.flatMap(({ warning }) => warning ?? [])]
  return { policy, gates, warnings }
}

/** @throws `bad_document` for a limit that every value keeps or breaks */
function checkLimit(
  { op, value, location }: Extract<PolicyGate, { readonly kind: "limit" }>,
  score: NamedScore,
  { config }: JobToCompare,
): void {
  const fault = limitFault(config ?? {}, score, op === ">=" ? { atLeast: value } : { atMost: value })
  if (fault !== undefined) throw new AssayError("bad_document", `${location}: A gate can't be kept or broken: ${fault}`)
}

/** Returns the scores of a gate: the one that it names, or all that decide. @throws `bad_document` for one that the results do not have */
function scoresOfGate(
  gate: PolicyGate,
  scores: readonly NamedScore[],
  { config, name: results }: JobToCompare,
): readonly NamedScore[] {
  if (gate.name === undefined) {
    // A score over all rows has no value of a row to compare.
    const rowScores = scores.filter(({ found }) => found.stats !== undefined)
    const deciding = rowScores.filter((score) => !isAmount(config, score))
    return deciding.length > 0 ? deciding : rowScores
  }
  const found = findScore(scores, gate.name)
  if (found !== undefined) return [found]
  const names = scores.map(({ name }) => name)
  const short = scores.flatMap(({ metric, score }) => [metric, `${metric}.${score}`])
  const near = nearestNames(gate.name, [...new Set([...short, ...names])])
  const meant = near.length === 0 ? "; its" : `; did you mean '${near.map(printable).join("' or '")}'? Its`
  const message = `${gate.location}: '${printable(gate.name)}' is not a score of '${printable(results)}'${meant} scores are ${names.map(printable).join(", ")}.`
  throw new AssayError("bad_document", message)
}

function pairOf(score: NamedScore, older: JobValues, own: JobValues): ScorePair | undefined {
  const key = scoreKey(score.metric, score.score)
  const tasks = [...older.tasks].flatMap(([task, baseline]) => {
    const other = own.tasks.get(task)
    return other === undefined ? [] : [{ task, baseline, other }]
  })
  const found = taskWithScore(tasks, score)
  const baseline = found?.baseline.scores.get(key)
  const values = found?.other.scores.get(key)
  if (found === undefined || baseline === undefined || values === undefined) return undefined
  return { baseline, values, groups: found.baseline.groups, isSameRow: sameRows(found.baseline, found.other) }
}
