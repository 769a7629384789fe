import { worstVerdict, type GateVerdict } from "@assay/metrics"
import { formatShare } from "@assay/reports"
import type {
  CalibrationCondition,
  CalibrationGate,
  JudgeComparison,
  JudgeReport,
  Recommendation,
} from "./calibration-report.ts"

const RANK = { PASS: 0, INCONCLUSIVE: 1, FAIL: 2 } as const

export interface RecommendationGrounds {
  readonly gates: readonly CalibrationGate[]
  readonly conditions: readonly CalibrationCondition[]
  readonly comparisons: readonly JudgeComparison[]
}

interface Candidate {
  readonly judge: JudgeReport
  readonly verdict: GateVerdict | null
  readonly failed: readonly CalibrationGate[]
  readonly conditions: readonly CalibrationCondition[]
}

/**
 * Recommends a candidate: the best by its gates, then the one with the fewest false blocks and misses under its policy. A
 * judge that fails a gate or has an open condition is not fit and is never recommended.
 */
export function recommendJudge(judges: readonly JudgeReport[], grounds: RecommendationGrounds): Recommendation {
  const ranked = judges
    .map((judge) => candidateOf(judge, grounds))
    .filter(({ judge }) => judge.false_block.n > 0 && judge.miss.n > 0)
    .toSorted((a, b) => faultsOf(a) - faultsOf(b) || costOf(a.judge) - costOf(b.judge))
  const best = ranked[0]
  if (best === undefined) {
    const reason = "No candidate gave verdicts on both safe and unsafe prompts."
    return { judge: null, nearest: null, reason, advice: adviceOf(grounds.conditions) }
  }
  if (!isFit(best)) return noneOf(best, judges.length === 1)
  const standing = {
    PASS: "It passes its gates",
    INCONCLUSIVE: "No gate fails, but the set is too small to be sure",
    FAIL: "It fails a gate",
    none: "It does best of the candidates",
  }[best.verdict ?? "none"]
  const subject = judges.length === 1 && best.verdict === null ? "The only candidate" : standing
  const second = ranked[1]
  const rival = second === undefined ? "" : rivalry(best.judge.name, second.judge.name, grounds.comparisons)
  return {
    judge: best.judge.name,
    reason: `${subject}: ${whatUsersSee(best.judge)}.${rival}`,
    nearest: null,
    advice: null,
  }
}

function candidateOf(judge: JudgeReport, { gates, conditions }: RecommendationGrounds): Candidate {
  const own = gates.filter((gate) => gate.judge === judge.name)
  return {
    judge,
    verdict: worstVerdict(own.map((gate) => gate.verdict)),
    failed: own.filter(({ verdict }) => verdict === "FAIL"),
    conditions: conditions.filter((condition) => condition.judge === judge.name),
  }
}

function isFit({ verdict, conditions }: Candidate): boolean {
  return verdict !== "FAIL" && conditions.length === 0
}

function noneOf(nearest: Candidate, isAlone: boolean): Recommendation {
  const { judge, failed, conditions } = nearest
  const gates = failed.map(({ gate, limit }) => `${gate} ≤ ${formatShare(limit)}`)
  const faults = [
    ...(gates.length === 0 ? [] : [`fails ${gates.length === 1 ? "a gate" : "gates"} (${gates.join(", ")})`]),
    ...(conditions.length === 0 ? [] : [`has ${codesOf(conditions)} open`]),
  ].join(" and ")
  const found = isAlone
    ? `It ${faults}`
    : `Each candidate fails a gate or has a condition open; "${judge.name}" comes nearest, and ${faults}`
  return { judge: null, nearest: judge.name, reason: `${found}: ${whatUsersSee(judge)}.`, advice: adviceOf(conditions) }
}

function codesOf(conditions: readonly CalibrationCondition[]): string {
  const codes = conditions.map(({ code }) => code)
  return `${codes.length === 1 ? "condition" : "conditions"} ${codes.join(", ")}`
}

function adviceOf(conditions: readonly CalibrationCondition[]): string {
  const remedies = [...new Set(conditions.map(({ remedy }) => remedy))]
  if (remedies.length === 0) return "Take a larger model or a more precise prompt, and measure again."
  return `${remedies.join(" ")} Then measure again.`
}

function rivalry(best: string, second: string, comparisons: readonly JudgeComparison[]): string {
  const pair = comparisons.find(({ a, b }) => (a === best && b === second) || (a === second && b === best))
  if (pair === undefined) return ""
  const p = pair.p < 0.001 ? "p < 0.001" : `p = ${pair.p.toFixed(3)}`
  return pair.p < 0.05
    ? ` Its verdicts and those of "${second}" differ by more than chance (${p}).`
    : ` This set is too small to distinguish it from "${second}" (${p}): take cost and latency into account.`
}

function whatUsersSee({ under_policy: { false_block, miss } }: JudgeReport): string {
  const share = (rate: number | null) => (rate === null ? "none" : formatShare(rate))
  return `users would see ${share(false_block.rate)} of safe prompts blocked and ${share(miss.rate)} of unsafe ones let through`
}

function costOf({ under_policy: { false_block, miss } }: JudgeReport): number {
  return (false_block.rate ?? 1) + (miss.rate ?? 1)
}

/**
 * Ranks candidates, the best lowest: fit ones first, and among them passed gates before inconclusive ones. The others
 * follow by their number of failed gates and open conditions.
 */
function faultsOf(candidate: Candidate): number {
  const rank = candidate.verdict === null ? RANK.PASS : RANK[candidate.verdict]
  return isFit(candidate) ? rank : 10 * candidate.failed.length + candidate.conditions.length + RANK.FAIL
}
