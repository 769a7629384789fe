import type { Comparison, PairComparison, ScoreComparison } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { comparedScores, meaningOf, reachOf, signed, splitScores } from "./compared-scores.ts"

type Verdict = Comparison["verdict"]

const scoreOf = (metric: string, verdict: Verdict, more: Partial<ScoreComparison> = {}, needed: number | null = null) =>
  ({
    task: "qa",
    metric,
    score: metric,
    decides: true,
    pairs: [{ verdict, rows_needed: needed, worsened: 0, improved: 1, left_out: 0 } as PairComparison],
    ...more,
  }) as ScoreComparison
const comparisonOf = (verdict: Verdict, scores: readonly ScoreComparison[]) =>
  ({ verdict, scores }) as unknown as Comparison
const EQUAL = scoreOf("exact", "PASS", {
  pairs: [{ verdict: "PASS", improved: 0, worsened: 0, left_out: 0 } as PairComparison],
})
const SLOW = scoreOf("latency", "FAIL", { decides: false, unit: "ms" })

describe("the sentence about a comparison", () => {
  it.each<[Verdict, readonly ScoreComparison[], string]>([
    ["PASS", [scoreOf("exact", "PASS"), SLOW], "Not worse by more than the margin: exact."],
    ["PASS", [EQUAL], "No row changed in exact: equal results pass, and the intervals are about other rows."],
    [
      "PASS",
      ["a", "b", "c", "d", "e"].map((name) => scoreOf(name, "PASS")),
      "Not worse by more than the margin: 5 scores.",
    ],
    ["FAIL", [scoreOf("f1", "PASS"), scoreOf("exact", "FAIL")], "Worse by more than the margin: exact."],
    ["INCONCLUSIVE", [scoreOf("exact", "INCONCLUSIVE", {}, 900)], "More rows are needed to decide."],
    ["INCONCLUSIVE", [scoreOf("exact", "INCONCLUSIVE")], "No number of rows decides it at this margin."],
    ["INCONCLUSIVE", [SLOW], "No score that decides is in both jobs."],
    [null, [scoreOf("exact", null)], "Scores that decide measure something else in the other job."],
  ])("%s is explained by the scores that decide", (verdict, scores, expected) => {
    expect(meaningOf(comparisonOf(verdict, scores))).toBe(expected)
  })
})

it("scores that decide come first, and the others are folded, as are single turns and unchanged scores that pass", () => {
  const turn = scoreOf("said@2", "PASS")
  const same = scoreOf("same", "PASS", { pairs: [{ verdict: "PASS", worsened: 0, improved: 0 } as PairComparison] })
  const scores = [SLOW, turn, scoreOf("exact", "PASS"), scoreOf("said@1", "FAIL")]
  const { shown, folded } = splitScores(comparedScores(comparisonOf("FAIL", scores)))
  expect(shown.map(({ name }) => name)).toEqual(["exact", "said@1"])
  expect(folded.map(({ name }) => name)).toEqual(["said@2", "latency"])
  const split = (scores: readonly ScoreComparison[]) => splitScores(comparedScores(comparisonOf("PASS", scores)))
  expect(split([scoreOf("exact", "PASS"), same]).folded.map(({ name }) => name)).toEqual(["same"])
  expect(split([same, SLOW]).shown.map(({ name }) => name)).toEqual(["same"])
  expect(split([SLOW]).shown).toHaveLength(1)
  const alike = [
    scoreOf("exact", "PASS"),
    scoreOf("exact", "PASS", { task: "math" }),
    scoreOf("rouge", "PASS", { score: "r1" }),
  ]
  const named = comparedScores(comparisonOf("PASS", [...alike, scoreOf("rouge", "PASS", { score: "r2" })]))
  expect(named.map(({ name }) => name)).toEqual(["qa · exact", "math · exact", "rouge · r1", "rouge · r2"])
})

it("scores of one unit have one axis, which holds their intervals and, if they decide, the margin", () => {
  const pair = (low: number) => ({ difference: -3, interval: { low, high: 4 } }) as PairComparison
  const one = (low: number, more: Partial<ScoreComparison>) => ({
    name: "",
    score: scoreOf("x", "PASS", { pairs: [pair(low)], ...more }),
  })
  const slow = one(-10, { decides: false, unit: "ms" })
  const slower = one(-30, { decides: false, unit: "ms" })
  const share = one(-5, { unit: "share" })
  const [grade, points] = [one(-10, {}), one(-6, {})]
  const all = [slow, slower, share, grade, points]
  expect(all.map((score) => Math.round(reachOf(score, all, 20)))).toEqual([32, 32, 22, 22, 22])
  expect(all.map((score) => Math.round(reachOf(score, all, 0)))).toEqual([32, 32, 5, 11, 6])
  expect([signed(0.5), signed(-0.5), signed(0)]).toEqual(["+0.5", "−0.5", "0"])
})
