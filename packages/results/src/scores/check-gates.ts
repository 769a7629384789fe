import { scoreInterval } from "@assay/reports"
import { gate, gateFamily, type GateLimit, type GateOfFamily, type GateVerdict } from "@assay/metrics"
import { AssayError, type EvaluationResult, invalidRequest, type Score } from "@assay/schemas"
import { gateTexts } from "@assay/evaluation-files"
import { findScore, listScores, type NamedScore } from "./list-scores.ts"
import { limitFault } from "./limit-fault.ts"
import { decideOnTheseRows, type TheseRowsVerdict } from "./these-rows.ts"
import { unscoredReason } from "./unscored-rows.ts"

export interface ScoreGate {
  /** `task.metric.score`, or `task.metric` if the metric has only one score. */
  readonly name: string
  readonly limit: GateLimit
  /** Whether the mean that labels of people correct is compared. Default false: the score as it is. */
  readonly isCorrected?: boolean | undefined
  /** Whether the value of these rows is compared, without an interval. Default false. */
  readonly isOnTheseRows?: boolean | undefined
  /** The share of asked rows that may have no score. Default 0.05, and 0 on these rows. */
  readonly maxUnscored?: number | undefined
}

export interface GateOutcome {
  /** `task.metric.score`, and whether it is `corrected by people`. */
  readonly name: string
  /** `>= 0.8`, or `>= 0.8 on these rows` */
  readonly limit: string
  readonly value: Score["value"]
  /** The range that was compared with the limit; null if there is none. */
  readonly low: number | null
  readonly high: number | null
  /** Null: the score measures something else in the results with which the gate compares it. */
  readonly verdict: GateVerdict | null
  /** Why the gate is not decided, if not because of its interval; why one on these rows is FAIL, if not because of its value. */
  readonly reason?: string
  /** The value of these rows was compared, without an interval. */
  readonly on_these_rows?: true
  /** `early` for a gate that can end the job. Absent: it can't. */
  readonly stop?: "early" | "never"
}

/**
 * Compares scores with their limits. A gate passes if the whole interval keeps the limit, or if 30 rows or more do; of several gates, the
 * probability of any wrong verdict is that of one. A score over all rows without an interval, such as corpus BLEU, is compared by its value. A gate is
 * INCONCLUSIVE if nothing was scored, if too many of the asked rows have no score, or if there are fewer rows than a valid interval needs; one on a corrected mean, if there are too few
 * labels, if they could not be read, or if rows of their draw were left without a label, which the notes of the score say. A gate on these rows compares the
 * value alone: it is PASS or FAIL, and not one of the several.
 *
 * @throws `invalid_request` for a score that the result does not have
 */
export function checkGates(result: EvaluationResult, gates: readonly ScoreGate[]): readonly GateOutcome[] {
  const scores = listScores(result)
  const compared = gates.map((gate) => {
    const score = findScore(scores, gate.name)
    if (score !== undefined) return comparedScore(score, scores, gate)
    throw unknownScore(
      gate.name,
      scores.map(({ name }) => name),
    )
  })
  const verdicts = verdictsOf(compared)
  return compared.map(({ name, limit, reason, value, range, verdict: ofTheseRows }, at) => {
    const verdict = ofTheseRows ?? (reason === undefined ? verdicts[at] : undefined) ?? "INCONCLUSIVE"
    return {
      name,
      limit: formatLimit(limit, ofTheseRows !== undefined),
      value,
      low: range?.low ?? null,
      high: range?.high ?? null,
      verdict,
      ...(reason === undefined ? {} : { reason }),
      ...(ofTheseRows === undefined ? {} : { on_these_rows: true as const }),
    }
  })
}

/** Returns what of a score a gate compares. A gate on these rows has its verdict already. */
export function comparedScore(
  score: NamedScore,
  scores: readonly NamedScore[],
  gate: Omit<ScoreGate, "name">,
): ComparedScore {
  const { limit, isCorrected = false, isOnTheseRows = false, maxUnscored } = gate
  const { name, found } = score
  if (isOnTheseRows) {
    const decided = decideOnTheseRows(score, scores, gate)
    return { name, limit, value: found.value, range: null, mean: undefined, ...decided }
  }
  const reason = unscoredReason(found, maxUnscored)
  return isCorrected
    ? { name: `${name}${gateTexts.corrected}`, limit, reason, ...correctedMean(found) }
    : { name, limit, reason, value: found.value, range: rangeOf(found), mean: judgedMean(found) }
}

type ComparedMean = Omit<GateOfFamily, "limit">

export interface ComparedScore extends Pick<ScoreGate, "name" | "limit"> {
  readonly reason?: string | undefined
  /** The verdict of a gate on these rows. */
  readonly verdict?: TheseRowsVerdict["verdict"]
  readonly value: Score["value"]
  readonly range: { readonly low: number; readonly high: number } | null
  /** Undefined for a score over all rows. */
  readonly mean: ComparedMean | undefined
}

function judgedMean({ value, stats }: Score): ComparedMean | undefined {
  if (stats === undefined) return undefined
  const { count, units, interval, min, max } = stats
  const values = min === "NaN" || max === "NaN" ? undefined : ([min, max] as const)
  return { mean: value === "NaN" ? Number.NaN : value, interval, n: count, units, values }
}

/** Returns the corrected mean. A score without labels has none, and its gate is INCONCLUSIVE. */
function correctedMean({ corrected: found }: Score): Pick<ComparedScore, "value" | "range" | "mean"> {
  const corrected = found?.corrected ?? null
  // People who left out rows of a draw may have left out the bad ones, so the interval does not hold.
  if (found === undefined || corrected === null || (found.left_open ?? 0) > 0) {
    return { value: "NaN", range: null, mean: { mean: Number.NaN, interval: null, n: 0 } }
  }
  const { mean, interval } = corrected
  return { value: mean, range: interval, mean: { mean, interval, n: found.labels } }
}

function verdictsOf(compared: readonly ComparedScore[]): readonly GateVerdict[] {
  const means = compared.filter(({ mean }) => mean !== undefined)
  const decided = gateFamily(means.flatMap(({ limit, mean }) => (mean === undefined ? [] : [{ limit, ...mean }])))
  return compared.map((one) => decided[means.indexOf(one)] ?? gate(one.range, one.limit))
}

function rangeOf(score: Score): { readonly low: number; readonly high: number } | null {
  const { value, stats } = score
  if (stats !== undefined || score.interval !== undefined) return scoreInterval(score)
  return value === "NaN" ? null : { low: value, high: value }
}

function unknownScore(name: string, names: readonly string[]): AssayError {
  const known = names.length === 0 ? "it has no scores" : `it has ${names.join(", ")}`
  return invalidRequest(["gate"], `the result has no score '${name}'; ${known}.`, "value_error")
}

/** Returns `>= 0.8`, or `>= 0.8 on these rows`. */
export function formatLimit(limit: GateLimit, isOnTheseRows = false): string {
  const [op, value] = "atLeast" in limit ? ([">=", limit.atLeast] as const) : (["<=", limit.atMost] as const)
  return gateTexts.formatLimit({ op, value, isOnTheseRows })
}

/**
 * Parses a gate such as `task.metric.score>=0.8`, `task.metric>=0.8` of a metric with one score, `task.metric.score<=0.1`, `task.metric.score corrected by people>=0.8`
 * or `task.metric.score>=0.8 on these rows`.
 * @throws `bad_usage`
 */
function parseGate(text: string): ScoreGate {
  const parsed = gateTexts.parse(text, "task.metric.score>=0.8")
  if (typeof parsed === "string") throw new AssayError("bad_usage", parsed)
  const { name, op, value, isCorrected, isOnTheseRows } = parsed
  return {
    name,
    limit: op === ">=" ? { atLeast: value } : { atMost: value },
    ...(isCorrected ? { isCorrected } : {}),
    ...(isOnTheseRows ? { isOnTheseRows } : {}),
  }
}

/** The operations on gates over the scores of a result. */
export const scoreGates = Object.freeze({
  parse: parseGate,
  check: checkGates,
  formatLimit,
  unscoredReason,
  limitFault,
})
