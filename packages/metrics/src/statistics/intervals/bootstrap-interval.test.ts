import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { createRandom } from "../create-random.ts"
import { bootstrapInterval, resampleMeans } from "./bootstrap-interval.ts"
import { unitMoments, unitsOf } from "./units.ts"

const numbers = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 2, maxLength: 30 })
const exponential = (n: number) => {
  const random = createRandom(3)
  return Float64Array.from({ length: n }, () => -Math.log(1 - random()))
}

describe("bootstrapInterval", () => {
  it.each(STATISTICS_CASES.bootstrap)(
    "comes close to the interval over all resamples: $id",
    ({ input, expect, tolerance, id }) => {
      const interval = bootstrapInterval(input.values, { confidence: input.confidence })
      // The means of six values lie about 0.02 apart: a random percentile may be the one beside the exact one.
      expectClose(interval?.low, expect.percentile_low, 0.021, id)
      expectClose(interval?.high, expect.percentile_high, 0.021, id)
      expectClose(unitMoments(unitsOf(input.values)).deviation, expect.bootstrap_stderr, tolerance, id)
    },
  )

  it("is the same for the same seed, and lies within the range of the values", () => {
    fc.assert(
      fc.property(numbers, fc.integer(), (values, seed) => {
        const options = { seed, resamples: 200 }
        const interval = bootstrapInterval(values, options)
        expect(bootstrapInterval(values, options)).toEqual(interval)
        expect(bootstrapInterval(values, { resamples: 200, random: createRandom(seed) })).toEqual(interval)
        expect(interval?.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9)
        expect(interval?.high).toBeLessThanOrEqual(Math.max(...values) + 1e-9)
      }),
      { numRuns: 30 },
    )
  })

  it("contains the mean and shrinks with more values", () => {
    const widths = [20, 200, 2000, 20_000].map((n) => {
      const values = exponential(n)
      const { low, high } = bootstrapInterval(values, { resamples: 1000 }) ?? { low: 1, high: 0 }
      const mean = values.reduce((sum, value) => sum + value, 0) / n
      expect(low < mean && mean < high).toBe(true)
      return high - low
    })
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
  })

  it("gives the same interval by formula for many values as by resampling", () => {
    const units = unitsOf(exponential(3000))
    const means = resampleMeans(units, createRandom(5), 4000)
    const interval = bootstrapInterval(units.sums)
    const { deviation } = unitMoments(units)
    expect(interval?.method).toBe("bootstrap-expansion")
    // A resampled percentile is itself uncertain by 0.04 of the deviation here.
    expectClose(interval?.low, means[99], 0.13 * deviation)
    expectClose(interval?.high, means[3899], 0.13 * deviation)
  })

  it("is as skewed by formula as the resampled means of rare events", () => {
    // Resampled sums are binomial: 2,500 draws that hit with 0.012 have their 2.5 and 97.5 percentiles at 20 and 41.
    const events = new Float64Array(2500).fill(1, 0, 30)
    const { low, high, method } = bootstrapInterval(events) ?? { low: 0, high: 0, method: null }
    expect(method).toBe("bootstrap-expansion")
    expectClose(low * 2500, 20, 0.5)
    expectClose(high * 2500, 41, 0.5)
    expectClose((low + high) * 2500, 61, 0.4)
  })

  it("is narrower with less confidence, and contains its confidence", () => {
    const values = exponential(100)
    const [sure, unsure] = [0.95, 0.5].map((confidence) => bootstrapInterval(values, { confidence, resamples: 500 }))
    expect([sure?.confidence, unsure?.confidence]).toEqual([0.95, 0.5])
    expect(unsure?.low).toBeGreaterThan(sure?.low ?? Infinity)
    expect(unsure?.high).toBeLessThan(sure?.high ?? -Infinity)
  })

  it("still resamples if one value outweighs thousands", () => {
    const values = new Float64Array(2500).fill(1)
    values[0] = 1e6
    expect(bootstrapInterval(values, { resamples: 300 })?.method).toBe("bootstrap")
  })

  it("is wider if the values of a row are drawn together", () => {
    const rows = Array.from({ length: 200 }, (_, at) => Math.floor(at / 10))
    const values = rows.map((row) => (row * 7) % 20)
    const ungrouped = bootstrapInterval(values, { resamples: 1000 })
    const together = bootstrapInterval(values, { resamples: 1000, clusters: rows })
    const ratio = ((together?.high ?? 0) - (together?.low ?? 0)) / ((ungrouped?.high ?? 0) - (ungrouped?.low ?? 0))
    expectClose(ratio, Math.sqrt(10), 0.3)
  })

  it("draws whole rows of different sizes, in any order of their values", () => {
    const { sums, sizes } = unitsOf([1, 2, 3, 4, 5, 6], ["b", "a", "b", "c", "a", "b"])
    expect(Array.from(sums)).toEqual([10, 7, 4])
    expect(Array.from(sizes ?? [])).toEqual([3, 2, 1])
  })

  it("is null for fewer than two values or rows", () => {
    expect(bootstrapInterval([])).toBeNull()
    expect(bootstrapInterval([1])).toBeNull()
    expect(bootstrapInterval([1, 2], { clusters: ["a", "a"] })).toBeNull()
  })

  it("refuses values that are not finite, and a wrong number of clusters", () => {
    expect(() => bootstrapInterval([1, Number.NaN])).toThrow("'NaN' is not possible; give finite numbers")
    expect(() => bootstrapInterval([1, 2], { clusters: ["a"] })).toThrow("one for each of the 2 values")
    expect(() => bootstrapInterval([1, 2], { resamples: 0 })).toThrow("a whole number above 0")
  })
})
