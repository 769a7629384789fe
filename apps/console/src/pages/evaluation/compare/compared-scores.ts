import { formatScore } from "@assay/reports"
import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import type { ComponentProps } from "react"
import type { Badge } from "../../../components/badge.tsx"
import { isOfTurn } from "../rows/failing-rows.ts"

/** A score with its comparisons with the baseline. */
export interface ComparedScore {
  readonly name: string
  readonly score: ScoreComparison
}

/** Returns the name of a score, also in the address. */
function nameOfScore({ task, metric, score }: ScoreComparison): string {
  return [task, metric, ...(metric === score ? [] : [score])].join(" · ")
}

/** Lists the scores of a comparison that have a difference. Those that decide come first. */
export function comparedScores({ scores }: Comparison): readonly ComparedScore[] {
  const all = scores.flatMap((score) => (score.pairs.length === 0 ? [] : [{ name: nameOfScore(score), score }]))
  return all.toSorted((a, b) => Number(b.score.decides) - Number(a.score.decides))
}

/** Which scores are shown, and which are folded. */
export interface SplitScores {
  readonly shown: readonly ComparedScore[]
  readonly folded: readonly ComparedScore[]
}

/**
 * Folds the scores that do not decide, those of single turns that pass, and those that pass without a row that changed. Without any other,
 * those that decide are shown, or else everything.
 */
export function splitScores(compared: readonly ComparedScore[]): SplitScores {
  const [told, deciding] = [compared.filter(isTold), compared.filter(({ score }) => score.decides)]
  const shown = told.length > 0 ? told : deciding.length > 0 ? deciding : compared
  return { shown, folded: compared.filter((one) => !shown.includes(one)) }
}

/** Returns whether a score decides, and says more than that nothing changed. */
function isTold({ score: { decides, metric, pairs } }: ComparedScore): boolean {
  if (!decides) return false
  if (pairs.some(({ verdict }) => verdict !== "PASS")) return true
  return !isOfTurn(metric) && pairs.some(({ worsened, improved }) => worsened + improved > 0)
}

/**
 * Returns the value at both ends of the axis of a score, which holds all intervals of its unit: equal lengths are equal differences. A score with a
 * scale of its own has its own axis.
 */
export function reachOf(one: ComparedScore, all: readonly ComparedScore[], margin: number): number {
  const { unit } = one.score
  const sharing = unit === undefined ? [one] : all.filter(({ score }) => score.unit === unit)
  const ends = sharing.flatMap(({ score: { pairs, decides } }) => [
    decides ? margin : 0,
    ...pairs.flatMap(({ difference, interval }) => [difference, interval?.low ?? 0, interval?.high ?? 0]),
  ])
  return (Math.max(...ends.map(Math.abs)) || 1) * 1.08
}

const UNITS: Readonly<Record<string, string>> = { ms: " ms", tokens: " tokens", words: " words" }

/** Returns what stands behind the numbers of a score. */
export function unitText({ unit }: ScoreComparison): string {
  return unit === undefined ? "" : (UNITS[unit] ?? "")
}

/** Returns a difference with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${formatScore(value)}` : formatScore(value).replace(/^-/u, "−")
}

/** Returns the badge of a verdict. A score that measures something else in the other job has none. */
export function badgeOf(verdict: PairComparison["verdict"]): Required<ComponentProps<typeof Badge>> {
  return { text: verdict ?? "NO VERDICT", tone: verdict ?? "INCONCLUSIVE" }
}

/** Says in a sentence what a comparison decides, and why if it decides nothing. */
export function meaningOf({ verdict, scores }: Comparison): string {
  const pairs = scores.flatMap((score) => (score.decides ? score.pairs : []))
  if (verdict === null) return "Scores that decide measure something else in the other job."
  if (pairs.length === 0) return "No score that decides is in both jobs."
  const isSame = pairs.every(({ improved, worsened, left_out }) => improved + worsened + left_out === 0)
  if (verdict === "PASS" && isSame) return "No row changed: equal results pass, and the intervals are about other rows."
  if (verdict === "PASS") return "No score that decides is worse than the margin allows."
  if (verdict === "FAIL") return "A score is worse than the margin allows."
  return pairs.some((pair) => pair.rows_needed !== null)
    ? "More rows are needed to decide."
    : "No number of rows decides it at this margin."
}
