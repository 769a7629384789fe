import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom } from "../create-random.ts"
import { correctRate, type JudgedRate } from "./corrected-rate.ts"
import { labelsNeeded } from "./labels-needed.ts"

function judgedOf(...counts: readonly number[]): JudgedRate {
  const [a = 0, n = 0, se = 0, positive = 0, sp = 0, negative = 0] = counts
  return {
    apparent: { count: a, n },
    sensitivity: { count: se, n: positive },
    specificity: { count: sp, n: negative },
  }
}

describe("correctRate", () => {
  // The interval's formulas written again in Python, with the quantile of SciPy 1.17.1.
  it.each([
    [
      [60, 200, 92, 100, 75, 100],
      [0.07462686567164187, 0, 0.2148340497644502],
    ],
    [
      [12, 1000, 45, 50, 99, 100],
      [0.0022471910112359566, 0, 0.024222883033267216],
    ],
    [
      [300, 500, 18, 20, 40, 60],
      [0.47058823529411753, 0.3083083289529781, 0.6971812534437577],
    ],
  ] as const)("corrects %j as the published formulas do", (counts, [rate, low, high]) => {
    const found = correctRate(judgedOf(...counts))
    expectClose(found.rate ?? undefined, rate, 1e-12)
    expectClose(found.interval?.low, low, 1e-9)
    expectClose(found.interval?.high, high, 1e-9)
  })

  it(
    "contains the true rate at least 93 times in 100, with labels for both verdicts",
    verifies("corrected.check"),
    () => {
      const random = createRandom(5)
      const count = (n: number, share: number) => Array.from({ length: n }).filter(() => random() < share).length
      const simulations = 2000
      let held = 0
      for (let simulation = 0; simulation < simulations; simulation++) {
        const apparent = count(500, 0.3 * 0.92 + 0.7 * 0.25)
        const found = correctRate(judgedOf(apparent, 500, count(60, 0.92), 60, count(140, 0.75), 140))
        if (found.interval !== null && found.interval.low <= 0.3 && 0.3 <= found.interval.high) held++
      }
      expect(held / simulations).toBeGreaterThan(0.93)
      expect(held / simulations).toBeLessThan(0.985)
    },
  )

  it.each([
    [[10, 100, 0, 0, 40, 50], "No label is positive."],
    [[10, 100, 30, 50, 0, 0], "No label is negative."],
    [[0, 0, 30, 50, 40, 50], "No row has a verdict."],
    [[50, 100, 10, 50, 30, 50], "no better than chance"],
    [[50, 100, 25, 50, 25, 50], "no better than chance"],
    [[100, 100, 92, 100, 75, 100], "calls 100 % of all rows positive, more than the 92 % of positive labels"],
    [[5, 1000, 45, 50, 99, 100], "calls 0.5 % of all rows positive, less than the 1 % of negative labels"],
  ])("has no rate for %j, and says why", (counts, reason) => {
    const found = correctRate(judgedOf(...counts))
    expect(found).toMatchObject({ rate: null, interval: null, reason: expect.stringContaining(reason) })
  })

  it("has a rate at the end of the scale if all verdicts are right", () => {
    expect(correctRate(judgedOf(100, 100, 50, 50, 50, 50))).toMatchObject({
      rate: 1,
      interval: { high: 1 },
      reason: null,
    })
  })

  it("names a count that is not possible", () => {
    expect(() => correctRate(judgedOf(101, 100, 30, 50, 40, 50))).toThrow("101")
  })
})

describe("labelsNeeded", () => {
  it("is the number of labels for an interval, and infinite if there are fewer rows", () => {
    expect(labelsNeeded({ reach: 0.05, deviation: 0.5, rows: 5000 })).toBe(385)
    expect(labelsNeeded({ reach: 0.05, deviation: 0.3, rows: 5000 })).toBe(139)
    expect(labelsNeeded({ reach: 0.05, deviation: 0.5, rows: 300 })).toBe(Infinity)
    expect(labelsNeeded({ reach: 0.05, deviation: 0, rows: 300 })).toBe(10)
    expect(labelsNeeded({ reach: 0.05, deviation: 0, rows: 9 })).toBe(Infinity)
  })
})
