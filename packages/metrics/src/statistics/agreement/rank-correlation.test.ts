import { describe, expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { rankCorrelation } from "./rank-correlation.ts"

const VERDICTS = [1, 1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1]
const LENGTHS = [120, 340, 95, 60, 410, 200, 180, 260, 90, 150, 330, 120]
const LABELS = [1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1]

describe("rankCorrelation", () => {
  it("is that of scipy.stats.spearmanr, and its interval that of a jackknife by NumPy", () => {
    const { correlation, interval } = rankCorrelation(VERDICTS, LENGTHS)
    expect(correlation).toBeCloseTo(0.4747010960639216, 12)
    expect(interval).toMatchObject({ method: "fisher-z", confidence: 0.95 })
    expect([interval?.low, interval?.high]).toEqual([
      expect.closeTo(-0.3135757782, 9) as number,
      expect.closeTo(0.8756369858, 9) as number,
    ])
  })

  it("takes out a third list, as the correlation of what a regression on it leaves", () => {
    expect(rankCorrelation(VERDICTS, LENGTHS, { given: LABELS }).correlation).toBeCloseTo(0.4375534155425957, 12)
    const all = rankCorrelation(VERDICTS, LENGTHS)
    expect(rankCorrelation(VERDICTS, LENGTHS, { given: VERDICTS.map(() => 1) })).toEqual(all)
  })

  it("finds no correlation that is not there about as often as it says", () => {
    const random = createRandom(2)
    let covered = 0
    for (let run = 0; run < 200; run++) {
      const rows = Array.from({ length: 12 }, () => [Number(random() < 0.8), random()] as const)
      const { interval } = rankCorrelation(
        rows.map(([verdict]) => verdict),
        rows.map(([, length]) => length),
      )
      if (interval === null || (interval.low <= 0 && interval.high >= 0)) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(186)
  })

  it("has no value for a constant list and for fewer than five rows, and refuses lists that do not fit", () => {
    expect(rankCorrelation([1, 1, 1, 1, 1], [1, 2, 3, 4, 5])).toEqual({ rows: 5, correlation: null, interval: null })
    expect(rankCorrelation([1, 0, 1, 0], [1, 2, 3, 4])).toEqual({ rows: 4, correlation: null, interval: null })
    expect(() => rankCorrelation([1], [1, 2])).toThrow("b: '2'")
    expect(() => rankCorrelation([1], [1], { given: [] })).toThrow("given: '0'")
    // A list that the third one gives leaves nothing to correlate.
    const own = [1, 2, 3, 4, 5, 6]
    expect(rankCorrelation(own, [2, 1, 4, 3, 6, 5], { given: own }).correlation).toBeNull()
  })
})
