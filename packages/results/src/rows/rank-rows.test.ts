import { describe, expect, it } from "vitest"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { rankRows } from "./rank-rows.ts"

const config = { type: "custom" as const, tasks: { qa: { metrics: { speed: { type: "latency" } } } } }
const result = resultOf({
  task: "qa",
  metrics: {
    check: { right: summaryOf([0, 1]) },
    judge: { stars: summaryOf([1, 5]) },
    speed: { ms: summaryOf([1, 9]) },
  },
})
const scores = (right: number, stars: number | "NaN", ms = 1) => ({
  check: { right },
  judge: { stars },
  speed: { ms },
})

describe("the rows that a report shows", () => {
  it("include those with the lowest scores over all ranges, and those that failed", () => {
    const ranking = rankRows(result, config)
    ranking.add(rowOf(0, scores(1, 5)))
    ranking.add(rowOf(1, scores(1, 1)))
    ranking.add(rowOf(2, scores(0, "NaN")))
    ranking.add(rowOf(3, {}, { error: { code: "bad_response", message: "" } }))
    ranking.add(rowOf(4, scores(0, 2)))
    expect(ranking.lowest(10).map(({ row }) => row)).toEqual([2, 4, 1])
    expect(ranking.lowest(1).map(({ row }) => row)).toEqual([2])
    expect(ranking.failed(10).map(({ row }) => row)).toEqual([3])
  })

  it("are ranked by their last attempt", () => {
    const ranking = rankRows(result, config)
    ranking.add(rowOf(0, {}, { error: { code: "bad_response", message: "" } }))
    ranking.add(rowOf(0, scores(1, 5), { attempt: 2 }))
    expect([...ranking.failed(10), ...ranking.lowest(10)]).toEqual([])
  })

  it("do not depend on expenses", () => {
    const ranking = rankRows(result, config)
    ranking.add(rowOf(0, scores(1, 5, 9)))
    ranking.add(rowOf(1, scores(1, 5, 1)))
    expect(ranking.lowest(10)).toEqual([])
  })

  it("include those where a guardrail was wrong", () => {
    const faults = resultOf({ task: "qa", metrics: { guard: { false_block: summaryOf([0, 1]) } } })
    const ranking = rankRows(faults, { type: "content_safety" })
    ranking.add(rowOf(0, { guard: { false_block: 0 } }))
    ranking.add(rowOf(1, { guard: { false_block: 1 } }))
    expect(ranking.lowest(10).map(({ row }) => row)).toEqual([1])
  })

  it("are also ranked by scores of a group", () => {
    const metrics = { evaluation: { recall_5: summaryOf([0, 1]) } }
    const ranking = rankRows(resultOf({ task: "qa", group: "evaluation", metrics }), { type: "retriever" })
    ranking.add(rowOf(0, { evaluation: { recall_5: 1 } }))
    ranking.add(rowOf(1, { evaluation: { recall_5: 0.2 } }))
    expect(ranking.lowest(10).map(({ row }) => row)).toEqual([1])
  })
})
