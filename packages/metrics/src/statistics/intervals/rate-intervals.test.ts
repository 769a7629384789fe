import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { clopperPearsonInterval, measureRate, pairedRateInterval, wilsonInterval } from "./rate-intervals.ts"

const counts = fc.nat({ max: 2000 }).chain((n) => fc.tuple(fc.nat({ max: n }), fc.constant(n)))

interface RateCase {
  readonly id: string
  readonly input: { readonly x: number; readonly n: number }
  readonly expect: { readonly low: number; readonly high: number }
  readonly tolerance: number
}

describe.each<readonly [string, typeof wilsonInterval, readonly RateCase[], readonly [number, number]]>([
  ["wilsonInterval", wilsonInterval, STATISTICS_CASES.wilson, [0, 0.07134759913335872]],
  ["clopperPearsonInterval", clopperPearsonInterval, STATISTICS_CASES.clopper_pearson, [0, 0.07112173646420458]],
])("%s", (_, intervalOf, cases, noneOfFifty) => {
  it.each(cases)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    const { low, high } = intervalOf(input.x, input.n)
    expectClose(low, expect.low, tolerance, id)
    expectClose(high, expect.high, tolerance, id)
  })

  it("says that none of fifty still allows 7 %", () => {
    const { low, high, confidence } = intervalOf(0, 50)
    expectClose(low, noneOfFifty[0], 0)
    expectClose(high, noneOfFifty[1], 1e-12)
    expect(confidence).toBe(0.95)
  })

  it("is 0 to 1 without rows", () => {
    expect(intervalOf(0, 0)).toMatchObject({ low: 0, high: 1 })
  })

  it("contains the observed rate, stays within 0 and 1, and is mirrored for the opposite count", () => {
    fc.assert(
      fc.property(counts, ([successes, n]) => {
        const { low, high } = intervalOf(successes, n)
        const rate = n === 0 ? 0.5 : successes / n
        expect(low >= 0 && low <= rate && rate <= high && high <= 1).toBe(true)
        const mirrored = intervalOf(n - successes, n)
        expectClose(mirrored.low, 1 - high, 1e-9)
        expectClose(mirrored.high, 1 - low, 1e-9)
      }),
    )
  })

  it("shrinks with more rows and grows with more confidence", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 20 }), ([successes, n], times) => {
        fc.pre(n > 0)
        const widthOf = ({ low, high }: { low: number; high: number }) => high - low
        expect(widthOf(intervalOf(successes * times, n * times))).toBeLessThan(widthOf(intervalOf(successes, n)))
        expect(widthOf(intervalOf(successes, n, { confidence: 0.99 }))).toBeGreaterThan(
          widthOf(intervalOf(successes, n)),
        )
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    [3, 2],
    [-1, 2],
    [0, -1],
    [Number.NaN, 2],
  ])("refuses %d of %d", (successes, n) => {
    expect(() => intervalOf(successes, n)).toThrow(/is not possible; give a number/)
  })

  it("refuses a confidence in percent", () => {
    expect(() => intervalOf(1, 2, { confidence: 95 })).toThrow("'95' is not possible; give a number between 0 and 1")
  })
})

describe("pairedRateInterval", () => {
  // The first: Newcombe 1998, method 10. The others from the same formula over SciPy's Wilson intervals.
  it.each([
    [
      [36, 12, 2, 0],
      [0.05692958400323875, 0.3404276029749408],
    ],
    [
      [20, 12, 2, 16],
      [0.05615642484174829, 0.32920699540014053],
    ],
    [
      [43, 7, 0, 50],
      [0.0165520342646929, 0.12210635868269144],
    ],
    [
      [30, 0, 0, 20],
      [-0.04038033158297433, 0.04038033158297435],
    ],
  ])("of %j is %j", ([both = 0, onlyB = 0, onlyA = 0, neither = 0], [low = 0, high = 0]) => {
    const interval = pairedRateInterval({ both, onlyA, onlyB, neither })
    expectClose(interval?.low, low, 1e-12)
    expectClose(interval?.high, high, 1e-12)
  })

  it("contains the difference, and changes its sign if the two are swapped", () => {
    const count = fc.nat({ max: 100 })
    fc.assert(
      fc.property(count, count, count, count, (both, onlyA, onlyB, neither) => {
        const n = both + onlyA + onlyB + neither
        fc.pre(n > 0)
        const there = pairedRateInterval({ both, onlyA, onlyB, neither })
        const back = pairedRateInterval({ both, onlyA: onlyB, onlyB: onlyA, neither })
        const difference = (onlyB - onlyA) / n
        expect((there?.low ?? 1) <= difference + 1e-12 && difference - 1e-12 <= (there?.high ?? -1)).toBe(true)
        expectClose(back?.low, -(there?.high ?? 0), 1e-12)
      }),
    )
  })

  it("is null without rows", () => {
    expect(pairedRateInterval({ both: 0, onlyA: 0, onlyB: 0, neither: 0 })).toBeNull()
  })
})

describe("measureRate", () => {
  it("contains its counts and Wilson's interval", () => {
    const { low, high } = wilsonInterval(3, 8, { confidence: 0.9 })
    expect(measureRate(3, 8, { confidence: 0.9 })).toEqual({ count: 3, n: 8, rate: 0.375, low, high })
  })

  it("of no rows is null, with an interval from 0 to 1", () => {
    expect(measureRate(0, 0)).toEqual({ count: 0, n: 0, rate: null, low: 0, high: 1 })
  })
})
