import { array, assert, dictionary, integer, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { scoreRanking } from "./score-ranking.ts"

const JUDGEMENTS = new Map([
  ["d1", 3],
  ["d2", 2],
  ["d3", 0],
  ["d4", 1],
  ["d5", -1],
])

describe("scores of a ranking", () => {
  it("equal values computed by hand from trec_eval's definitions", () => {
    const scores = scoreRanking(["d3", "d2", "x", "d1"], JUDGEMENTS, [1, 3, 10])
    const ideal = 3 + 2 / Math.log2(3) + 1 / 2
    expect(scores).toEqual({
      recip_rank: 1 / 2,
      map: (1 / 2 + 2 / 4) / 3,
      recall_1: 0,
      P_1: 0,
      ndcg_cut_1: 0,
      recall_3: 1 / 3,
      P_3: 1 / 3,
      ndcg_cut_3: expect.closeTo(2 / Math.log2(3) / ideal, 12) as number,
      recall_10: 2 / 3,
      P_10: 2 / 10,
      ndcg_cut_10: expect.closeTo((2 / Math.log2(3) + 3 / Math.log2(5)) / ideal, 12) as number,
    })
  })

  it("count a document at its first rank only", () => {
    const scores = scoreRanking(
      ["d1", "d1", "d2"],
      new Map([
        ["d1", 1],
        ["d2", 1],
      ]),
      [2],
    )
    // The duplicate takes rank 2.
    expect(scores["recall_2"]).toBe(1 / 2)
    expect(scores["P_2"]).toBe(1 / 2)
    expect(scores["map"]).toBeCloseTo((1 + 2 / 3) / 2, 12)
  })

  it("are 0 for an empty ranking and without relevant documents", () => {
    for (const scores of [scoreRanking([], JUDGEMENTS), scoreRanking(["d3"], new Map([["d3", 0]]))]) {
      expect(new Set(Object.values(scores))).toEqual(new Set([0]))
    }
  })

  it("are 0 to 1, and 1 for the ideal ranking", () => {
    const judged = dictionary(string(), integer({ min: -1, max: 3 }), { minKeys: 1 })
    assert(
      property(judged, array(string()), (gains, strays) => {
        const judgements = new Map(Object.entries(gains))
        const names = [...judgements.keys()]
        for (const value of Object.values(scoreRanking([...strays, ...names], judgements))) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1 + 1e-12)
        }
        const ideal = names.toSorted((left, right) => (gains[right] ?? 0) - (gains[left] ?? 0))
        const best = names.some((name) => (gains[name] ?? 0) > 0) ? 1 : 0
        expect(scoreRanking(ideal, judgements)).toMatchObject({
          recip_rank: best,
          map: expect.closeTo(best, 12) as number,
          ndcg_cut_5: expect.closeTo(best, 12) as number,
        })
      }),
    )
  })
})
