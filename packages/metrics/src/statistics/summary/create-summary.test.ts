import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { meanInterval } from "../intervals/mean-interval.ts"
import { unitsOf } from "../intervals/units.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"
import { createSummary, summarize } from "./create-summary.ts"
import { percentile } from "./percentile.ts"

const scores = fc.array(fc.constantFrom(0, 1, 0.5, 0.25, 7, -2, Number.NaN), { minLength: 1, maxLength: 40 })

describe("summarize", () => {
  it.each(STATISTICS_CASES.standard_error.filter(({ input }) => "values" in input))(
    "agrees with the reference: $id",
    ({ input, expect, tolerance, id }) => {
      if (!("values" in input) || !("stderr" in expect)) return
      const stats = summarize(input.values)
      expectClose(stats.mean, expect.mean, tolerance, id)
      expectClose(stats.stderr, expect.stderr, tolerance, id)
      expectClose((stats.variance * stats.count) / (stats.count - 1), expect.variance_ddof1, tolerance, id)
    },
  )

  it("counts values that are not numbers separately", () => {
    const stats = summarize([2, Number.NaN, 4, Infinity])
    expect(stats).toMatchObject({ count: 2, nan_count: 2, sum: 6, sum_squared: 20, mean: 3, min: 2, max: 4 })
    expect(stats).toMatchObject({ variance: 1, stddev: 1, stderr: 1, percentiles: { p10: 2, p50: 3, p100: 4 } })
    expect(stats).not.toHaveProperty("rubric_distribution")
  })

  it("has NaN for every statistic without values", () => {
    const stats = summarize([Number.NaN])
    expect(stats).toMatchObject({ count: 0, nan_count: 1, sum: 0, mean: Number.NaN, stderr: Number.NaN })
    expect(stats).toMatchObject({ min: Number.NaN, histogram: { bins: [] }, interval: null })
  })

  it("counts values in ten bins from the smallest to the largest, and equal values in one", () => {
    const { bins } = summarize([0, 5, 9.99, 10, 10]).histogram
    expect(bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 3])
    expect([bins[0]?.lower_bound, bins[5]?.lower_bound, bins[9]?.upper_bound]).toEqual([0, 5, 10])
    const same = summarize([3, 3]).histogram.bins
    expect(same).toEqual([{ lower_bound: 3, upper_bound: 3, count: 2 }])
    expect(summarize([1, 1, 1]).histogram.bins).toEqual([{ lower_bound: 1, upper_bound: 1, count: 3 }])
  })

  it("counts the labels of a rubric", () => {
    const rubric = [
      { label: "good", value: 1 },
      { label: "bad", value: 0 },
      { label: "odd", value: 0.5 },
    ]
    const counts = (values: readonly number[]) =>
      summarize(values, { rubric }).rubric_distribution?.map(({ count }) => count)
    expect(counts([1, 0, 1, 3, Number.NaN])).toEqual([2, 1, 0])
    expect(counts([1, 1])).toEqual([2, 0, 0])
    expect(summarize([1], { rubric }).rubric_distribution?.[0]).toEqual({ label: "good", value: 1, count: 1 })
  })

  it("uses Wilson's interval for zeros and ones, and Student's t for other values", () => {
    const graded = [0, 0.25, 0.5, 0.5, 1]
    expect(summarize([0, 1, 1, Number.NaN]).interval).toEqual(wilsonInterval(2, 3))
    const range = [0, 1] as const
    expect(summarize(graded.toReversed()).interval).toEqual(meanInterval(unitsOf(graded), { range }))
    expect(summarize([0.5, 0, 1, 0.25]).interval).toBeNull()
  })

  it("treats amounts as amounts even if all of them are 1", () => {
    const { interval } = summarize(Array(30).fill(1), { isAmount: true })
    expect(interval).toEqual({ low: 1, high: 1, confidence: 0.95, method: "skew-adjusted-t" })
  })

  it("has no interval of amounts that begins below 0", () => {
    const delays = Array.from({ length: 20 }, (_, at) => (at === 0 ? 96 : 3 + (at % 4)))
    const { mean, interval } = summarize(delays, { isAmount: true })
    expect(interval?.low).toBe(0)
    expect(interval?.high).toBeGreaterThan(mean)
    // A number of no known scale can be negative.
    expect(summarize(delays).interval?.low).toBeLessThan(0)
  })

  it("does not count repeats of a row as independent rows", () => {
    const rows = Array.from({ length: 400 }, (_, at) => at % 40)
    const alike = rows.map((row) => row % 2)
    const fewer = wilsonInterval(20, 40)
    // The correction of the sample would count 40 rows as 39 here. The number of rows is the minimum.
    expectClose(summarize(alike, { rows }).interval?.low, fewer.low, 1e-9)
    const certain = rows.map(() => 1)
    expect(summarize(certain, { rows }).interval).toEqual(wilsonInterval(40, 40))
    const independent = rows.map((_, at) => Math.floor(at / 40) % 2)
    expectClose(summarize(independent, { rows }).interval?.low, wilsonInterval(200, 400).low, 1e-9)
    const graded = rows.map((row) => (row % 4) / 4)
    const clustered = summarize(graded, { rows }).interval
    const alone = summarize(graded).interval
    expect((clustered?.high ?? 0) - (clustered?.low ?? 0)).toBeGreaterThan(2 * ((alone?.high ?? 0) - (alone?.low ?? 0)))
  })

  it("has a clustered standard error if rows repeat or share a group", () => {
    // Ten groups of four equal values give as much information as ten values.
    const groups = Array.from({ length: 40 }, (_, at) => at % 10)
    const values = groups.map((group) => group / 10)
    expectClose(summarize(values, { rows: groups }).stderr, summarize(values.slice(0, 10)).stderr, 1e-12)
    const bits = groups.map((group) => group % 2)
    expectClose(summarize(bits, { rows: groups }).stderr, summarize(bits.slice(0, 10)).stderr, 1e-12)
    expect(summarize(bits).stderr).toBeLessThan(0.1)
  })

  it("counts too few groups of zeros and ones as single values", () => {
    const groups = Array.from({ length: 400 }, (_, at) => at % 4)
    const values = groups.map((_, at) => (at < 200 ? 1 : 0))
    expectClose(summarize(values, { rows: groups }).interval?.low, wilsonInterval(2, 4).low, 1e-12)
  })

  it("draws rows together as clusters", () => {
    const rows = Array.from({ length: 500 }, (_, at) => at % 250)
    const values = rows.map((row, at) => ((row * 7) % 11) + (at % 3))
    expect(summarize(values, { rows }).interval).toEqual(meanInterval(unitsOf(values, rows)))
  })

  it("is the same in any order, and agrees with the plain definitions", () => {
    fc.assert(
      fc.property(scores, (values) => {
        const stats = summarize(values)
        expect(summarize(values.toReversed())).toEqual(stats)
        const read = values.filter((value) => !Number.isNaN(value))
        fc.pre(read.length > 0)
        const mean = read.reduce((sum, value) => sum + value, 0) / read.length
        expectClose(stats.mean, mean, 1e-9)
        expectClose(stats.variance, read.reduce((sum, value) => sum + (value - mean) ** 2, 0) / read.length, 1e-9)
        expectClose(stats.percentiles.p30, percentile(read, 30), 1e-9)
        expect(stats.histogram.bins.reduce((sum, { count }) => sum + count, 0)).toBe(read.length)
        if (stats.interval !== null) {
          expect(stats.interval.low <= mean + 1e-9 && mean - 1e-9 <= stats.interval.high).toBe(true)
        }
      }),
    )
  })
})

describe("createSummary", () => {
  it("gives a result at any time between two values", () => {
    const summary = createSummary()
    summary.add(1)
    expect(summary.result()).toMatchObject({ count: 1, mean: 1 })
    for (let at = 0; at < 1000; at++) summary.add(0.5)
    expect(summary.result()).toMatchObject({ count: 1001, max: 1, min: 0.5 })
  })

  it("requires a row for every value or for none", () => {
    const summary = createSummary()
    summary.add(1, 4)
    expect(() => summary.add(1)).toThrow("row: 'undefined' is not possible; give a row for every value, or for none")
    expect(() => summary.add(1, -1)).toThrow("row: '-1'")
    expect(() => summary.add(1, 0.5)).toThrow("row: '0.5'")
    const rowless = createSummary()
    rowless.add(1)
    expect(() => rowless.add(1, 0)).toThrow("a row for every value, or for none")
  })

  it("accepts a million values", () => {
    const summary = createSummary()
    for (let at = 0; at < 1_000_000; at++) summary.add((at % 1000) / 1000, at)
    expect(summary.result()).toMatchObject({ count: 1_000_000, interval: { method: "skew-adjusted-t" } })
  })
})
