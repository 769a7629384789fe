import type { PairComparison, ScoreComparison } from "@assay/schemas"
import { expect, it } from "vitest"
import { flipCounts, readFlip, selectionOf } from "./flips.ts"

const pair = (more: Partial<PairComparison>) => ({ rows: 10, mean: 0.6, improved: 2, worsened: 1, ...more }) as never
const score = (isHigherBetter: boolean) =>
  ({ metric: "exact", score: "em", higher_is_better: isHigherBetter }) as ScoreComparison

it("scores of 0 and 1 are counted two by two, whichever of them is better, and others by their change", () => {
  const binary = pair({ only_baseline: 1, only_job: 2 })
  expect(flipCounts(binary, score(true))).toEqual({ right: 4, worse: 1, better: 2, wrong: 3 })
  expect(flipCounts(binary, score(false))).toEqual({ right: 3, worse: 2, better: 1, wrong: 4 })
  expect(flipCounts(pair({ only_baseline: null, only_job: null }), score(true))).toEqual({
    worse: 1,
    same: 7,
    better: 2,
  })
})

it("each cell selects its rows", () => {
  expect(selectionOf("worse", score(true))).toEqual({ change: "down" })
  expect(selectionOf("worse", score(false))).toEqual({ change: "up" })
  expect(selectionOf("better", score(true))).toEqual({ change: "up" })
  expect(selectionOf("right", score(true))).toEqual({ change: "same", filter: { "score:exact.em": { $eq: "1" } } })
  expect(selectionOf("wrong", score(false))).toEqual({ change: "same", filter: { "score:exact.em": { $eq: "1" } } })
  expect([readFlip("worse"), readFlip("x"), readFlip(undefined)]).toEqual(["worse", undefined, undefined])
})
