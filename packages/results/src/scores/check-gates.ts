import { scoreInterval } from "@assay/reports"
import { gate, gateFamily, type GateLimit, type GateOfFamily, type GateVerdict } from "@assay/metrics"
import { NUMBER_RANGES } from "@assay/json"
import { AssayError, type EvaluationResult, invalidRequest, printable, type Score } from "@assay/schemas"
import { findScore, listScores } from "./list-scores.ts"
import { unscoredReason } from "./unscored-rows.ts"

export interface ScoreGate {
  /** `task.metric.score`, or `task.metric` if the metric has only one score. */
  readonly name: string
  readonly limit: GateLimit
  /** Whether the mean that labels of people correct is compared. Default false: the score as it is. */
  readonly isCorrected?: boolean | undefined
  /** The share of asked rows that may have no score. Default 0.05. */
  readonly maxUnscored?: number | undefined
}

export interface GateOutcome {
  /** `task.metric.score`, and whether it is `corrected by people`. */
  readonly name: string
  /** `>= 0.8` */
  readonly limit: string
  readonly value: Score["value"]
  /** The range that was compared with the limit; null if there is none. */
  readonly low: number | null
  readonly high: number | null
  readonly verdict: GateVerdict
  /** Why the gate is INCONCLUSIVE, if not because of its interval. */
  readonly reason?: string
  /** `early` for a gate that can end the job. Absent: it can't. */
  readonly stop?: "early" | "never"
}

/** The suffix of the name of a score whose corrected mean is compared. */
const CORRECTED = " corrected by people"

/**
 * Compares scores with their limits. A gate passes if the whole interval keeps the limit, or if 30 rows or more do; of several gates, the
 * probability of any wrong verdict is that of one. A score over all rows without an interval, such as corpus BLEU, is compared by its value. A gate is
 * INCONCLUSIVE if nothing was scored, if too many of the asked rows have no score, or if there are fewer rows than a valid interval needs; one on a corrected mean, if there are too few
 * labels, if they could not be read, or if rows of their draw were left without a label, which the notes of the score say.
 *
 * @throws `invalid_request` for a score that the result does not have
 */
export function checkGates(result: EvaluationResult, gates: readonly ScoreGate[]): readonly GateOutcome[] {
  const scores = listScores(result)
  const compared = gates.map(({ name: named, limit, isCorrected = false, maxUnscored }): ComparedScore => {
    const score = findScore(scores, named)
    if (score === undefined) {
      throw unknownScore(
        named,
        scores.map(({ name }) => name),
      )
    }
    const { name, found } = score
    const reason = unscoredReason(found, maxUnscored)
    return isCorrected
      ? { name: `${name}${CORRECTED}`, limit, reason, ...correctedMean(found) }
      : { name, limit, reason, value: found.value, range: rangeOf(found), mean: judgedMean(found) }
  })
  const verdicts = verdictsOf(compared)
  return compared.map(({ name, limit, reason, value, range }, at) => {
    return {
      name,
      limit: formatLimit(limit),
      value,
      low: range?.low ?? null,
      high: range?.high ?? null,
      ...(reason === undefined ? { verdict: verdicts[at] ?? "INCONCLUSIVE" } : { verdict: "INCONCLUSIVE", reason }),
    }
  })
}

type ComparedMean = Omit<GateOfFamily, "limit">

interface ComparedScore extends Pick<ScoreGate, "name" | "limit"> {
  readonly reason: string | undefined
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

/** Returns `>= 0.8`. */
function formatLimit(limit: GateLimit): string {
  return "atLeast" in limit ? `>= ${limit.atLeast}` : `<= ${limit.atMost}`
}

const SHAPE = /^\s*(.+?)\s*(>=|<=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*$/i

/**
 * Parses a gate such as `task.metric.score>=0.8`, `task.metric>=0.8` of a metric with one score, `task.metric.score<=0.1` or `task.metric.score corrected by people>=0.8`.
 * @throws `bad_usage`
 */
function parseGate(text: string): ScoreGate {
  const [, name, relation, number] = SHAPE.exec(text) ?? []
  if (name === undefined || number === undefined) {
    const message = `'${printable(text)}' is not a gate: write task.metric.score>=0.8, or <= if lower is better.`
    throw new AssayError("bad_usage", message)
  }
  const { minimum, maximum } = NUMBER_RANGES.score
  if (!(Number(number) >= minimum && Number(number) <= maximum)) {
    const message = `The limit ${printable(number)} of the gate '${printable(name)}' is not a number from ${minimum} to ${maximum}.`
    throw new AssayError("bad_usage", message)
  }
  const limit = relation === ">=" ? { atLeast: Number(number) } : { atMost: Number(number) }
  return name.endsWith(CORRECTED)
    ? { name: name.slice(0, -CORRECTED.length).trimEnd(), limit, isCorrected: true }
    : { name, limit }
}

/** The operations on gates over the scores of a result. */
export const scoreGates = Object.freeze({ parse: parseGate, check: checkGates, formatLimit, unscoredReason })
