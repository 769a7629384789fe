import { formatCount, formatScore } from "@assay/reports"
import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import type { ComponentProps } from "react"
import type { Badge } from "../../../components/badge.tsx"
import { shortScoreNames } from "../results/short-score-names.ts"
import { isOfTurn } from "../rows/failing-rows.ts"

/** A score with its comparisons with the baseline. */
export interface ComparedScore {
  /** Its short name, also in the address. */
  readonly name: string
  readonly score: ScoreComparison
}

/** Lists the scores of a comparison that have a difference. Those that decide come first. */
export function comparedScores({ scores }: Comparison): readonly ComparedScore[] {
  const names = shortScoreNames(scores)
  const all = scores.flatMap((score, index) =>
    score.pairs.length === 0 ? [] : [{ name: names[index] ?? score.metric, score }],
  )
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

/** Names of scores that fit in a sentence. */
const MAX_NAMED = 4

/** Says in a sentence what a comparison decides, and why if it decides nothing. */
export function meaningOf({ verdict, scores }: Comparison): string {
  const pairs = scores.flatMap((score) => (score.decides ? score.pairs : []))
  if (verdict === null) return "Scores that decide measure something else in the other job."
  if (pairs.length === 0) return "No score that decides is in both jobs."
  const namesOf = (wanted: readonly ScoreComparison[]) => {
    const names = [...new Set(wanted.filter((score) => score.pairs.length > 0).map(({ metric }) => metric))]
    return names.length > MAX_NAMED ? formatCount(names.length, "score") : names.join(", ")
  }
  const deciding = scores.filter(({ decides }) => decides)
  if (verdict === "PASS") {
    return pairs.every(({ worsened, improved, left_out }) => worsened + improved + left_out === 0)
      ? `No row changed in ${namesOf(deciding)}: equal results pass, and the intervals are about other rows.`
      : `Not worse by more than the margin: ${namesOf(deciding)}.`
  }
  if (verdict === "FAIL") {
    const worse = deciding.filter((score) => score.pairs.some((pair) => pair.verdict === "FAIL"))
    return `Worse by more than the margin: ${namesOf(worse.length === 0 ? deciding : worse)}.`
  }
  return pairs.some((pair) => pair.rows_needed !== null)
    ? "More rows are needed to decide."
    : "No number of rows decides it at this margin."
}
