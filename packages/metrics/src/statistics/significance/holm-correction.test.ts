import { describe, expect, it } from "vitest"
import { decideTogether, type LevelledTest } from "./holm-correction.ts"
import { gateFamily, gateTest } from "./gate-family.ts"

const testOf =
  (p: number): LevelledTest =>
  (level) =>
    p <= level ? "FAIL" : "INCONCLUSIVE"
const decidedOf = (...ps: readonly number[]) =>
  decideTogether(ps.map(testOf), 0.05).map(({ verdict }) => verdict === "FAIL")

describe("tests that are decided together", () => {
  it("are those of Holm's procedure", () => {
    expect(decidedOf(0.04)).toEqual([true])
    expect(decidedOf(0.04, 0.04)).toEqual([false, false])
    expect(decidedOf(0.04, 0.02)).toEqual([true, true])
    expect(decidedOf(0.01, 0.02, 0.06)).toEqual([true, true, false])
    expect(decidedOf(0.02, 0.02, 0.02)).toEqual([false, false, false])
    expect(decideTogether([], 0.05)).toEqual([])
  })

  it("name the level at which they are open", () => {
    expect(decideTogether([testOf(0.001), testOf(1), testOf(1)], 0.06)[1]).toEqual({
      verdict: "INCONCLUSIVE",
      level: 0.03,
    })
  })

  it("agree with a family of gates", () => {
    const means = [0.9, 0.86, 0.84, 0.7].map((mean) => {
      const reach = 1.96 * Math.sqrt((mean * (1 - mean)) / 200)
      const interval = { low: mean - reach, high: mean + reach, confidence: 0.95, method: "skew-adjusted-t" }
      return { mean, interval, n: 200, limit: { atLeast: 0.8 } }
    })
    expect(decideTogether(means.map(gateTest), 0.05).map(({ verdict }) => verdict)).toEqual(gateFamily(means))
  })
})
