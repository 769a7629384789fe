import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { pairedTables, valuesOf, worstProbability } from "../../testing/paired-tables.ts"
import { pairedDifferenceInterval } from "../intervals/paired-difference-interval.ts"
import { comparePaired } from "./compare-paired.ts"

const bits = (both: number, onlyA: number, onlyB: number, neither: number) => ({
  a: [Array(both + onlyA).fill(1), Array(onlyB + neither).fill(0)].flat() as number[],
  b: [Array(both).fill(1), Array(onlyA).fill(0), Array(onlyB).fill(1), Array(neither).fill(0)].flat() as number[],
})

describe("comparePaired", () => {
  it("compares rates by McNemar's test and the exact limits of the rows that differ", () => {
    const { a, b } = bits(36, 2, 12, 0)
    const found = comparePaired(a, b)
    expect(found).toMatchObject({
      rows: 50,
      left_out: 0,
      only_a: 2,
      only_b: 12,
      method: "mcnemar-exact",
      verdict: "PASS",
    })
    expectClose(found?.difference, 0.2, 1e-12)
    expect(found?.interval).toEqual(pairedDifferenceInterval({ both: 36, onlyA: 2, onlyB: 12, neither: 0 }))
    expectClose(found?.p, 0.012939453125, 1e-12)
    expectClose(
      found?.smallest_detectable_effect,
      (2.801585218112969 * ((found?.interval?.high ?? 0) - (found?.interval?.low ?? 0))) / (2 * 1.959963984540054),
      1e-9,
    )
  })

  it("is inconclusive for few rows without a difference", () => {
    const found = comparePaired([1, 1, 1, 0], [1, 1, 1, 0])
    expect(found).toMatchObject({ difference: 0, p: 1, verdict: "INCONCLUSIVE" })
    expect(found?.smallest_detectable_effect).toBeGreaterThan(0.5)
    // A rate can't differ by more than 1, and these rows would not show even that.
    expect(comparePaired([1, 1, 1, 0], [1, 1, 1, 1])?.smallest_detectable_effect).toBeNull()
  })

  it.each([6, 8, 10, 20, 40])("decides %i rows wrongly at most 28 times in 1,000, at any margin", (n) => {
    const tables = pairedTables(n)
    for (const margin of [0, 0.01, 0.05, 0.1, 0.2]) {
      const decided = tables.map((table) => {
        const { a, b } = valuesOf(table)
        return { table, verdict: comparePaired(a, b, { margin })?.verdict }
      })
      const errorOf = (wrong: string) =>
        worstProbability(
          decided.filter(({ verdict }) => verdict === wrong).map(({ table }) => table),
          margin,
        )
      expect(errorOf("FAIL"), `FAIL at ${margin}`).toBeLessThan(0.028)
      expect(errorOf("PASS"), `PASS at ${margin}`).toBeLessThan(0.028)
    }
  })

  it("calls nothing worse that its own test does not", () => {
    // Four of ten rows got worse: P = 0.125.
    const { a, b } = valuesOf({ n: 10, onlyA: 4, onlyB: 0 })
    const rates = comparePaired(a, b)
    expectClose(rates?.p, 0.125, 1e-12)
    expect(rates?.verdict).toBe("INCONCLUSIVE")
    expect(rates?.interval?.high).toBeGreaterThanOrEqual(0)
    const grades = comparePaired([0.5, 0.5, 0.5, 0.5, 0.5], [0.2, 0.21, 0.2, 0.19, 0.2])
    expect(grades).toMatchObject({ p: 0.0625, verdict: "INCONCLUSIVE" })
  })

  it("calls rates worse or better as soon as McNemar's test does", () => {
    // Six of ten rows got worse: P = 0.031.
    const { a, b } = valuesOf({ n: 10, onlyA: 6, onlyB: 0 })
    expect(comparePaired(a, b)).toMatchObject({ interval: { high: 0 }, verdict: "FAIL" })
    expect(comparePaired(a, b, { higherIsBetter: false })?.verdict).toBe("PASS")
    expect(comparePaired(b, a)).toMatchObject({ interval: { low: 0 }, verdict: "PASS" })
    expect(comparePaired(b, a, { higherIsBetter: false })?.verdict).toBe("FAIL")
    expect(comparePaired(a, b, { margin: 0.01 })?.verdict).toBe("INCONCLUSIVE")
  })

  it("expects values that few rows do not show, if they have a range", () => {
    const a = Array.from({ length: 20 }, () => 0.9)
    const b = a.map((value, at) => value - (at % 2) / 1000)
    expect(comparePaired(a, b, { margin: 0.05 })?.verdict).toBe("PASS")
    // One row in ten may be worth nothing: 20 rows without one are not rare.
    expect(comparePaired(a, b, { margin: 0.05, range: [0, 1] })).toMatchObject({
      verdict: "INCONCLUSIVE",
      interval: { method: "betting" },
    })
  })

  it("passes within the margin and fails beyond it", () => {
    const { a, b } = bits(900, 15, 10, 75)
    expect(comparePaired(a, b)?.verdict).toBe("INCONCLUSIVE")
    expect(comparePaired(a, b, { margin: 0.02 })?.verdict).toBe("PASS")
    const worse = bits(700, 200, 10, 90)
    expect(comparePaired(worse.a, worse.b, { margin: 0.02 })?.verdict).toBe("FAIL")
    expect(comparePaired(worse.a, worse.b, { higherIsBetter: false })?.verdict).toBe("PASS")
  })

  it("compares other values by sign permutation and Student's t", () => {
    const a = Array.from({ length: 40 }, (_, at) => (at % 7) / 10)
    const b = a.map((value, at) => value + (at % 3) / 10)
    const found = comparePaired(a, b, { resamples: 1000 })
    expect(found).toMatchObject({ method: "sign-permutation-resampled", only_a: null, only_b: null, verdict: "PASS" })
    expectClose(found?.difference, 0.0975, 1e-12)
    expect(found?.interval?.method).toBe("skew-adjusted-t")
    expect(found?.p).toBeLessThan(0.01)
    expect(comparePaired(a, b, { resamples: 1000 })).toEqual(found)
  })

  it("counts repeats of a row once", () => {
    const rows = ["x", "y", "x", "y", "z", "z"]
    const found = comparePaired([0, 1, 0, 1, 1, 0], [1, 1, 1, 0, 1, 0], { clusters: rows })
    expect(found).toMatchObject({ rows: 3, mean_a: 0.5, method: "sign-permutation-exact" })
    expectClose(found?.difference, (1 - 0.5 + 0) / 3, 1e-12)
  })

  it("leaves out pairs without a number on both sides, and counts them", () => {
    const found = comparePaired([1, Number.NaN, 0, 1], [1, 1, Number.NaN, 0], { clusters: [0, 1, 2, 3] })
    expect(found).toMatchObject({ rows: 2, left_out: 2, only_a: 1, only_b: 0 })
    expect(comparePaired([Number.NaN], [1])).toBeNull()
    expect(comparePaired([0.5], [0.7])).toMatchObject({ interval: null, verdict: "INCONCLUSIVE" })
  })

  it("changes its sign if the two are swapped", () => {
    const value = fc.constantFrom(0, 0.25, 0.5, 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 12 }), (pairs) => {
        const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
        const [there, back] = [comparePaired(a, b, { resamples: 50 }), comparePaired(b, a, { resamples: 50 })]
        expectClose(there?.difference, -(back?.difference ?? 0), 1e-12)
        expectClose(there?.p, back?.p, 1e-12)
      }),
    )
  })

  it("refuses lists of different lengths", () => {
    expect(() => comparePaired([1], [1, 0])).toThrow("as many values as there are in valuesA: 1")
    expect(() => comparePaired([1], [1], { clusters: [] })).toThrow("one for each of the 1 pairs")
    expect(() => comparePaired([1], [1], { margin: -1 })).toThrow("margin")
  })
})
