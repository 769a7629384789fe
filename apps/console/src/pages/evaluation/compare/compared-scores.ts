import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import type { ComponentProps } from "react"
import type { Badge } from "../../../components/badge.tsx"

/** A score of one job beside that of the baseline. */
export interface ComparedScore {
  readonly name: string
  readonly score: ScoreComparison
  readonly pair: PairComparison
}

/** Scores that can be drawn on one axis. */
export interface ScoreGroup {
  readonly unit: string | undefined
  readonly compared: readonly ComparedScore[]
}

/** Returns the name of a score, also in the address. */
export function nameOfScore({ task, metric, score }: ScoreComparison): string {
  return [task, metric, ...(metric === score ? [] : [score])].join(" · ")
}

/** Lists the scores of a comparison that have a difference. Those that decide come first. */
export function comparedScores({ scores }: Comparison): readonly ComparedScore[] {
  const all = scores.flatMap((score) => score.pairs.map((pair) => ({ name: nameOfScore(score), score, pair })))
  return all.toSorted((a, b) => Number(b.score.decides) - Number(a.score.decides))
}

/** Groups scores by their units. A score without a unit has a scale of its own. */
export function groupByUnit(compared: readonly ComparedScore[]): readonly ScoreGroup[] {
  const groups = Map.groupBy(compared, ({ name, score }) => score.unit ?? `of ${name}`)
  return [...groups.values()].map((compared) => ({ unit: compared[0]?.score.unit, compared }))
}

/** Returns the badge of a verdict. A score that measures something else in the other job has none. */
export function badgeOf(verdict: Comparison["verdict"]): Required<ComponentProps<typeof Badge>> {
  return { text: verdict ?? "NO VERDICT", tone: verdict ?? "INCONCLUSIVE" }
}

/** Says in a sentence what a comparison decides, and why if it decides nothing. */
export function meaningOf({ verdict, scores }: Comparison): string {
  const pairs = scores.flatMap((score) => (score.decides ? score.pairs : []))
  if (verdict === null) return "Scores that decide measure something else in the other job."
  if (pairs.length === 0) return "No score that decides is in both jobs."
  if (verdict === "PASS") return "No score that decides is worse than the margin allows."
  if (verdict === "FAIL") return "A score is worse than the margin allows."
  return pairs.some((pair) => pair.rows_needed !== null)
    ? "More rows are needed to decide."
    : "No number of rows decides it at this margin."
}
