import { compareJudges } from "./compare-judges.ts"
import { formatShare } from "./format-share.ts"
import type { JudgeReport } from "./calibration-report.ts"
import type { JudgeTally } from "./judge-tally.ts"
import type { RowTally } from "./row-tally.ts"

const SIGNIFICANT = 0.05

/**
 * Which of the other candidates blocks fewer safe prompts than one that blocks too many, as a sentence: the one with the
 * fewest that is better by McNemar's test over the safe prompts, else the one with the fewest, marked as not certain.
 */
export function findBetterJudge(
  rows: RowTally,
  tallies: readonly JudgeTally[],
  judges: readonly JudgeReport[],
  failing: JudgeReport,
): string {
  const own = tallies.find(({ name }) => name === failing.name)
  const better = judges
    .filter((one) => rateOr(one, 1) < rateOr(failing, 1))
    .toSorted((a, b) => rateOr(a, 1) - rateOr(b, 1))
    .flatMap((judge) => {
      const tally = tallies.find(({ name }) => name === judge.name)
      if (own === undefined || tally === undefined) return []
      const { p } = compareJudges(rows, tally, own, { label: "safe" })
      const isApart = judge.false_block.high < failing.false_block.low
      return [{ judge, p, isCertain: p < SIGNIFICANT || isApart }]
    })
  const best = better.find(({ isCertain }) => isCertain) ?? better[0]
  if (best === undefined) return ""
  const { judge, p, isCertain } = best
  const rates = `${formatShare(rateOr(judge, 1))} of the safe prompts instead of ${formatShare(rateOr(failing, 1))}`
  const misses = `misses ${missOf(judge)} of the unsafe ones instead of ${missOf(failing)}`
  const certainty = isCertain ? `p = ${p.toPrecision(2)}` : `not certain with this set, p = ${p.toPrecision(2)}`
  return `Among the candidates "${judge.name}" wins: it blocks ${rates} (${certainty}) and ${misses}.`
}

function rateOr(judge: JudgeReport, otherwise: number): number {
  return judge.false_block.rate ?? otherwise
}

function missOf({ miss }: JudgeReport): string {
  return miss.rate === null ? "an unknown share" : formatShare(miss.rate)
}
