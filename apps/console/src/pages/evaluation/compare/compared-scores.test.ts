import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { comparedScores, groupByUnit, meaningOf } from "./compared-scores.ts"

type Verdict = Comparison["verdict"]

const scoreOf = (metric: string, verdict: Verdict, more: Partial<ScoreComparison> = {}, needed: number | null = null) =>
  ({
    task: "qa",
    metric,
    score: metric,
    decides: true,
    pairs: [{ verdict, rows_needed: needed } as PairComparison],
    ...more,
  }) as ScoreComparison
const comparisonOf = (verdict: Verdict, scores: readonly ScoreComparison[]) =>
  ({ verdict, scores }) as unknown as Comparison
const SLOW = scoreOf("latency", "FAIL", { decides: false, unit: "ms" })

describe("the sentence about a comparison", () => {
  it.each<[Verdict, readonly ScoreComparison[], string]>([
    ["PASS", [scoreOf("exact", "PASS"), SLOW], "No score that decides is worse than the margin allows."],
    ["FAIL", [scoreOf("exact", "FAIL")], "A score is worse than the margin allows."],
    ["INCONCLUSIVE", [scoreOf("exact", "INCONCLUSIVE", {}, 900)], "More rows are needed to decide."],
    ["INCONCLUSIVE", [scoreOf("exact", "INCONCLUSIVE")], "No number of rows decides it at this margin."],
    ["INCONCLUSIVE", [SLOW], "No score that decides is in both jobs."],
    [null, [scoreOf("exact", null)], "Scores that decide measure something else in the other job."],
  ])("%s is explained by the scores that decide", (verdict, scores, expected) => {
    expect(meaningOf(comparisonOf(verdict, scores))).toBe(expected)
  })
})

it("scores share an axis if they have a unit in common, and those that decide come first", () => {
  const share = { unit: "share" }
  const scores = [SLOW, scoreOf("exact", "PASS", share), scoreOf("grade", "PASS"), scoreOf("f1", "PASS", share)]
  const groups = groupByUnit(comparedScores(comparisonOf("PASS", [...scores, scoreOf("rating", "PASS")])))
  expect(groups.map(({ unit, compared }) => [unit, compared.map(({ name }) => name)])).toEqual([
    ["share", ["qa · exact", "qa · f1"]],
    [undefined, ["qa · grade"]],
    [undefined, ["qa · rating"]],
    ["ms", ["qa · latency"]],
  ])
})
