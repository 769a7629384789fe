import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createNumberHistogram } from "./number-histogram.ts"

function binsOf(values: readonly number[]) {
  const histogram = createNumberHistogram()
  for (const value of values) histogram.add(value)
  return histogram.bins()
}

describe("a histogram of numbers", () => {
  it.each([
    [Array.from({ length: 1000 }, (_, n) => n), 0, 50, 20, 50],
    [Array.from({ length: 1001 }, (_, n) => n / 1000), 0, 0.05, 21, 50],
    [Array.from({ length: 300 }, (_, n) => 1_700_000_000_000 + n), 1_700_000_000_000, 1_700_000_000_020, 15, 20],
    [Array.from({ length: 101 }, (_, n) => n - 50), -50, -45, 21, 5],
  ])("has limits that are easy to read", (values, lower_bound, upper_bound, length, count) => {
    const bins = binsOf(values)
    expect([bins[0], bins.length]).toEqual([{ lower_bound, upper_bound, count }, length])
  })

  it("is empty without different numbers", () => {
    expect([binsOf([]), binsOf([5, 5]), binsOf([Infinity, 1])]).toEqual([[], [], []])
  })

  it("counts each number in the bin with its limits, whatever the order and the range", () => {
    const decimal = fc.tuple(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: -6, max: 6 }))
    const number = decimal.map(([digits, power]) => Number(`${digits}e${power}`))
    fc.assert(
      fc.property(fc.array(number, { minLength: 2, maxLength: 900 }), (values) => {
        const bins = binsOf(values)
        fc.pre(bins.length > 0)
        expect(bins.length).toBeLessThan(25)
        for (const { lower_bound, upper_bound, count } of bins) {
          expect(values.filter((value) => value >= lower_bound && value < upper_bound)).toHaveLength(count)
        }
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      }),
      { numRuns: 60 },
    )
  })

  it("holds extreme numbers", () => {
    const bins = binsOf([1e-300, 5e-324, 1e300, -1e300, 0, Number.MAX_VALUE])
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(6)
  })
})
