import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { latencyPercentiles, percentile } from "./percentile.ts"

describe("percentile", () => {
  it.each(STATISTICS_CASES.percentiles)("agrees with both references: $id", ({ input, expect, tolerance, id }) => {
    expectClose(percentile(input.values, input.p), expect.nemo, tolerance, id)
    expectClose(percentile(input.values, input.p, "inclusive"), expect.numpy, tolerance, id)
  })

  it("never falls as p grows, and stays within the range of the values", () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(values, fc.constantFrom("exclusive" as const, "inclusive" as const), (values, definition) => {
        const found = Array.from({ length: 101 }, (_, p) => percentile(values, p, definition))
        for (const [p, value] of found.entries()) expect(value).toBeGreaterThanOrEqual((found[p - 1] ?? value) - 1e-9)
        expect([found[0], found[100]].map(Number)).toEqual([Math.min(...values), Math.max(...values)].map(Number))
      }),
    )
  })

  it("is NaN without values, and refuses a p outside of 0 to 100", () => {
    expect(percentile([], 50)).toBeNaN()
    expect(() => percentile([1], 101)).toThrow("p: '101'")
  })
})

describe("latencyPercentiles", () => {
  it("has the slowest of few calls as p99, and interpolates for many", () => {
    expect(latencyPercentiles([30, 10, 20])).toEqual({ p50: 20, p95: 30, p99: 30 })
    const hundred = latencyPercentiles(Array.from({ length: 999 }, (_, at) => at + 1))
    expect(hundred).toEqual({ p50: 500, p95: 950, p99: 990 })
    expect(latencyPercentiles([])).toBeNull()
  })
})
