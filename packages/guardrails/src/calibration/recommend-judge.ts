import type { CalibrationGate, JudgeComparison, JudgeReport, Recommendation } from "./calibration-report.ts"
import { worstVerdict } from "./check-gates.ts"
import { formatShare } from "./format-share.ts"

const RANK = { PASS: 0, INCONCLUSIVE: 1, FAIL: 2 } as const

/**
 * Which candidate to use: the best by its gates, then by the mean of false blocks and misses under its policy. A judge with
 * a failed gate is not recommended.
 */
export function recommendJudge(
  judges: readonly JudgeReport[],
  gates: readonly CalibrationGate[],
  comparisons: readonly JudgeComparison[],
): Recommendation {
  const ranked = judges
    .map((judge) => ({
      judge,
      verdict: worstVerdict(gates.filter((gate) => gate.judge === judge.name)),
      cost: costOf(judge),
    }))
    .filter(({ judge }) => judge.false_block.n > 0 && judge.miss.n > 0)
    .toSorted((a, b) => rankOf(a.verdict) - rankOf(b.verdict) || a.cost - b.cost)
  const best = ranked[0]
  if (best === undefined) {
    return { judge: null, reason: "No candidate gave verdicts on both safe and unsafe prompts." }
  }
  if (best.verdict === "FAIL") {
    const found =
      judges.length === 1 ? "It fails a gate" : `Each candidate fails a gate; "${best.judge.name}" comes closest`
    return { judge: null, reason: `${found}: ${feltBy(best.judge)}.` }
  }
  const standing = {
    PASS: "It passes its gates",
    INCONCLUSIVE: "No gate fails, but the set is too small to be sure",
    none: "It does best of the candidates",
  }[best.verdict ?? "none"]
  const alone = judges.length === 1 && best.verdict === null ? "The only candidate" : standing
  const second = ranked[1]
  const rival = second === undefined ? "" : rivalry(best.judge.name, second.judge.name, comparisons)
  return { judge: best.judge.name, reason: `${alone}: ${feltBy(best.judge)}.${rival}` }
}

function rivalry(best: string, second: string, comparisons: readonly JudgeComparison[]): string {
  const pair = comparisons.find(({ a, b }) => (a === best && b === second) || (a === second && b === best))
  if (pair === undefined) return ""
  const p = pair.p < 0.001 ? "p < 0.001" : `p = ${pair.p.toFixed(3)}`
  return pair.p < 0.05
    ? ` Its verdicts and those of "${second}" differ by more than chance (${p}).`
    : ` This set can't tell it from "${second}" (${p}): take cost and latency into account.`
}

function feltBy({ under_policy: { false_block, miss } }: JudgeReport): string {
  const share = (rate: number | null) => (rate === null ? "none" : formatShare(rate))
  return `users would see ${share(false_block.rate)} of safe prompts blocked and ${share(miss.rate)} of unsafe ones let through`
}

function costOf({ under_policy: { false_block, miss } }: JudgeReport): number {
  return (false_block.rate ?? 1) + (miss.rate ?? 1)
}

function rankOf(verdict: keyof typeof RANK | null): number {
  return verdict === null ? RANK.PASS : RANK[verdict]
}
