import { comparePaired, type LevelledTest, meanOf } from "@assay/metrics"
import { formatScore } from "@assay/reports"
import type { IdentityPart } from "@assay/schemas"
import type { PolicyComparison } from "@assay/evaluation-files"
import { scoreIdentity } from "@assay/scoring"
import { comparedWithout, type JobToCompare } from "../compare/job-to-compare.ts"
import { type PairedValues, pairUp, type ScorePair } from "../compare/compare-score.ts"
import { rowsNeeded } from "../compare/rows-needed.ts"
import { scoreRange } from "../compare/score-range.ts"
import { isHigherBetter, type NamedScore } from "../scores/list-scores.ts"
import { unscoredReason } from "../scores/unscored-rows.ts"
import type { GateToDecide } from "./gate-to-decide.ts"
import { excuse, flippingRows } from "./quarantine.ts"

export interface ScoreToCompare {
  readonly score: NamedScore
  readonly config: JobToCompare["config"]
  /** The older results as the policy names them. */
  readonly against: string
  /** Undefined: no row has the score in both results. */
  readonly pair: ScorePair | undefined
  /** Whether the older results are those of the same run. */
  readonly isItself: boolean
  /** The parts in which the meaning of the score differs. */
  readonly changed: readonly IdentityPart[]
}

/** Prepares a gate that compares a score row by row with older results. */
export function comparisonGate(policy: PolicyComparison, compared: ScoreToCompare): GateToDecide {
  const { score, config, against, pair, isItself, changed } = compared
  const { name, found } = score
  const higherIsBetter = isHigherBetter(config, score)
  const none = {
    name,
    limit: limitText(policy.margin ?? 0, against),
    value: found.value,
    low: null,
    high: null,
    rows: 0,
  }
  if (changed.length > 0) {
    const reason = `it ${scoreIdentity.describe(against, changed)}`
    return { state: { ...none, reason, identity: { changed: [...changed] } }, fixed: null }
  }
  if (isItself) {
    const reason = `'${against}' is the same run, so that nothing is compared: name the version in use as 'against'.`
    return { state: { ...none, reason }, fixed: "INCONCLUSIVE" }
  }
  const paired = pair === undefined ? undefined : pairUp(pair)
  if (pair === undefined || paired === undefined || paired.a.length === 0) {
    const reason = `no row has this score both here and in '${against}'.`
    return { state: { ...none, reason }, fixed: "INCONCLUSIVE" }
  }
  const { pairs, quarantine } = excuse(paired, flippingRows(pair.baseline), higherIsBetter)
  const margin = marginOf(policy, pairs, higherIsBetter)
  const test = pairTest(pairs, margin, { higherIsBetter, range: scoreRange(config, { ...score, ...unitOf(pairs) }) })
  const state = {
    ...none,
    ...test.found,
    limit: limitText(margin.allowed, against),
    ...(quarantine === undefined ? {} : { quarantine }),
    ...regressions(pairs, higherIsBetter),
  }
  const { leftOut } = paired
  const warned = leftOut === 0 ? {} : { warning: comparedWithout(name, leftOut, paired.a.length) }
  const reason = unscoredReason(found, policy.maxUnscored)
  if (reason !== undefined) return { state: { ...state, reason }, fixed: "INCONCLUSIVE", ...warned }
  return { state, test: test.decide, rowsNeeded: test.rowsNeeded, ...warned }
}

function limitText(margin: number, against: string): string {
  return margin === 0 ? `not worse than ${against}` : `at most ${formatScore(margin)} worse than ${against}`
}

function unitOf({ a, b }: PairedValues): { readonly unit?: string } {
  const isShare = (value: number) => value >= 0 && value <= 1
  return a.every(isShare) && b.every(isShare) ? { unit: "share" } : {}
}

interface Margin {
  /** How much worse the mean may be. */
  readonly allowed: number
  /** The share of the older mean that `allowed` is. Undefined: it is fixed. */
  readonly share?: number
}

/** Returns the margin, or the one of the guard if the older mean is low. The stricter one counts. */
function marginOf({ margin, lowBaseline }: PolicyComparison, { a }: PairedValues, higherIsBetter: boolean): Margin {
  const mean = meanOf(a)
  if (lowBaseline === undefined || !higherIsBetter || mean < 0 || mean >= lowBaseline.below)
    return { allowed: margin ?? 0 }
  const share = lowBaseline.relativeMargin
  const allowed = share * mean
  return margin !== undefined && margin <= allowed ? { allowed: margin } : { allowed, share }
}

interface PairTestOptions {
  readonly higherIsBetter: boolean
  readonly range: readonly [low: number, high: number] | undefined
}

/** Returns the test of paired values. A share of the older mean is compared with the older values themselves, so that its own uncertainty counts. */
function pairTest({ a, b, clusters, leftOut }: PairedValues, { allowed, share = 0 }: Margin, options: PairTestOptions) {
  const { higherIsBetter, range } = options
  const own = { higherIsBetter, range, ...(clusters === null ? {} : { clusters }) }
  const isEqual = leftOut === 0 && a.every((value, at) => value === b[at])
  const lowered = share === 0 ? a : a.map((value) => value * (1 - share))
  const margin = share === 0 ? allowed : 0
  const shown = comparePaired(a, b, own)
  const at = (level: number) => comparePaired(lowered, b, { ...own, margin, confidence: 1 - level })
  const decide: LevelledTest = (level) => (isEqual ? "PASS" : (at(level)?.verdict ?? "INCONCLUSIVE"))
  return {
    found: {
      value: shown?.mean_b ?? ("NaN" as const),
      baseline: shown?.mean_a ?? 0,
      low: shown?.interval?.low ?? null,
      high: shown?.interval?.high ?? null,
      rows: shown?.rows ?? 0,
    },
    decide,
    rowsNeeded: (level: number) => {
      const found = at(level)
      return found === null ? null : rowsNeeded({ ...found, limit: higherIsBetter ? -margin : margin })
    },
  }
}

/** Counts the rows that got worse, without those that are excused, and the rows that got better. */
function regressions({ a, b, rows }: PairedValues, higherIsBetter: boolean) {
  const gains = new Map<number, number>()
  for (const [at, row] of rows.entries()) gains.set(row, (gains.get(row) ?? 0) + (b[at] ?? 0) - (a[at] ?? 0))
  const values = [...gains.values()].map((gain) => (higherIsBetter ? gain : -gain))
  return { worsened: values.filter((gain) => gain < 0).length, improved: values.filter((gain) => gain > 0).length }
}
