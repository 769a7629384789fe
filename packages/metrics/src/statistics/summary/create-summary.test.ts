import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { bootstrapInterval } from "../intervals/bootstrap-interval.ts"
import { wilsonInterval } from "../intervals/wilson-interval.ts"
import { createSummary } from "./create-summary.ts"
import { percentile } from "./percentile.ts"
import { summarize } from "./summarize.ts"

const scores = fc.array(fc.constantFrom(0, 1, 0.5, 0.25, 7, -2, Number.NaN), { minLength: 1, maxLength: 40 })

describe("summarize", () => {
  it.each(STATISTICS_CASES.standard_error.filter(({ input }) => "values" in input))(
    "agrees with the reference: $id",
    ({ input, expect, tolerance, id }) => {
      if (!("values" in input) || !("stderr" in expect)) return
      const stats = summarize(input.values, { resamples: 100 })
      expectClose(stats.mean, expect.mean, tolerance, id)
      expectClose(stats.stderr, expect.stderr, tolerance, id)
      expectClose((stats.variance * stats.count) / (stats.count - 1), expect.variance_ddof1, tolerance, id)
    },
  )

  it("keeps what is no number apart", () => {
    const stats = summarize([2, Number.NaN, 4, Infinity], { resamples: 100 })
    expect(stats).toMatchObject({ count: 2, nan_count: 2, sum: 6, sum_squared: 20, mean: 3, min: 2, max: 4 })
    expect(stats).toMatchObject({ variance: 1, stddev: 1, stderr: 1, percentiles: { p10: 2, p50: 3, p100: 4 } })
    expect(stats).not.toHaveProperty("rubric_distribution")
  })

  it("says of nothing that there is nothing", () => {
    const stats = summarize([Number.NaN])
    expect(stats).toMatchObject({ count: 0, nan_count: 1, sum: 0, mean: Number.NaN, stderr: Number.NaN })
    expect(stats).toMatchObject({ min: Number.NaN, histogram: { bins: [] }, interval: null })
  })

  it("counts into ten bins from the smallest to the largest value", () => {
    const { bins } = summarize([0, 5, 9.99, 10, 10], { resamples: 100 }).histogram
    expect(bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 3])
    expect([bins[0]?.lower_bound, bins[5]?.lower_bound, bins[9]?.upper_bound]).toEqual([0, 5, 10])
    const same = summarize([3, 3], { resamples: 100 }).histogram.bins
    expect(same.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  })

  it("counts the labels of a rubric", () => {
    const rubric = [
      { label: "good", value: 1 },
      { label: "bad", value: 0 },
      { label: "odd", value: 0.5 },
    ]
    const counts = (values: readonly number[]) =>
      summarize(values, { rubric, resamples: 100 }).rubric_distribution?.map(({ count }) => count)
    expect(counts([1, 0, 1, 3, Number.NaN])).toEqual([2, 1, 0])
    expect(counts([1, 1])).toEqual([2, 0, 0])
    expect(summarize([1], { rubric }).rubric_distribution?.[0]).toEqual({ label: "good", value: 1, count: 1 })
  })

  it("takes Wilson's interval of zeros and ones, else the bootstrap's", () => {
    expect(summarize([0, 1, 1, Number.NaN]).interval).toEqual(wilsonInterval(2, 3))
    expect(summarize([0.5, 0, 1], { seed: 3 }).interval).toEqual(bootstrapInterval([0, 0.5, 1], { seed: 3 }))
    expect(summarize([0.5]).interval).toBeNull()
  })

  it("takes amounts for amounts, even where all of them are one", () => {
    const { interval } = summarize([1, 1, 1, 1], { isAmount: true })
    expect([interval?.low, interval?.high, interval?.method]).toEqual([1, 1, expect.stringContaining("bootstrap")])
  })

  it("does not take repeats of a row for as many rows", () => {
    const rows = Array.from({ length: 400 }, (_, at) => at % 40)
    const alike = rows.map((row) => row % 2)
    const fewer = wilsonInterval(20, 40)
    // The sample's correction counts 40 rows as 39 here, but never as fewer than there are.
    expectClose(summarize(alike, { rows }).interval?.low, fewer.low, 1e-9)
    const certain = rows.map(() => 1)
    expect(summarize(certain, { rows }).interval).toEqual(wilsonInterval(40, 40))
    const independent = rows.map((_, at) => Math.floor(at / 40) % 2)
    expectClose(summarize(independent, { rows }).interval?.low, wilsonInterval(200, 400).low, 1e-9)
    const graded = rows.map((row) => (row % 4) / 4)
    const clustered = summarize(graded, { rows, resamples: 500 }).interval
    const alone = summarize(graded, { resamples: 500 }).interval
    expect((clustered?.high ?? 0) - (clustered?.low ?? 0)).toBeGreaterThan(2 * ((alone?.high ?? 0) - (alone?.low ?? 0)))
  })

  it("draws rows as the bootstrap does with clusters", () => {
    const rows = Array.from({ length: 500 }, (_, at) => at % 250)
    const values = rows.map((row, at) => ((row * 7) % 11) + (at % 3))
    const options = { resamples: 200, seed: 5 }
    expect(summarize(values, { rows, ...options }).interval).toEqual(
      bootstrapInterval(values, { clusters: rows, ...options }),
    )
  })

  it("is the same in any order, and agrees with the plain definitions", () => {
    fc.assert(
      fc.property(scores, (values) => {
        const options = { resamples: 50 }
        const stats = summarize(values, options)
        expect(summarize(values.toReversed(), options)).toEqual(stats)
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
  it("may be asked in between", () => {
    const summary = createSummary({ resamples: 100 })
    summary.add(1)
    expect(summary.result()).toMatchObject({ count: 1, mean: 1 })
    for (let at = 0; at < 1000; at++) summary.add(0.5)
    expect(summary.result()).toMatchObject({ count: 1001, max: 1, min: 0.5 })
  })

  it("wants a row for every value or for none", () => {
    const summary = createSummary()
    summary.add(1, 4)
    expect(() => summary.add(1)).toThrow("row: 'undefined' is not possible; give every value its row, or none")
    expect(() => summary.add(1, -1)).toThrow("row: '-1'")
    expect(() => summary.add(1, 0.5)).toThrow("row: '0.5'")
    const rowless = createSummary()
    rowless.add(1)
    expect(() => rowless.add(1, 0)).toThrow("every value its row, or none")
  })

  it("takes a million values in less than a second", () => {
    const summary = createSummary()
    for (let at = 0; at < 1_000_000; at++) summary.add((at % 1000) / 1000, at)
    expect(summary.result()).toMatchObject({ count: 1_000_000, interval: { method: "bootstrap-expansion" } })
  }, 1000)
})
