import { describe, expect, it } from "vitest"
import { createDistinctEstimate } from "./distinct-estimate.ts"
import { createValueCounts, type Scalar } from "./value-counts.ts"

function countsOf(values: Iterable<Scalar>) {
  const counts = createValueCounts()
  for (const value of values) counts.add(value)
  return counts
}

describe("value counts", () => {
  it("are exact up to a thousand distinct values", () => {
    const counts = countsOf(Array.from({ length: 5000 }, (_, at) => (at % 3 === 0 ? "often" : at % 999)))
    expect([counts.distinct(), counts.isEstimated()]).toEqual([667, false])
    expect(counts.top()[0]).toEqual({ value: "often", count: 1667 })
    expect(counts.top()).toHaveLength(10)
  })

  it("distinguish values of different types", () => {
    const counts = countsOf(["1", 1, true, "true", null, "null"])
    expect(counts.distinct()).toBe(6)
  })

  it("are approximate above that, in bounded memory, and still find frequent values", () => {
    const counts = countsOf(
      (function* () {
        for (let at = 0; at < 200_000; at++) yield at % 10 === 0 ? "often" : `value ${at}`
      })(),
    )
    expect(counts.isEstimated()).toBe(true)
    expect(Math.abs(counts.distinct() - 180_001) / 180_001).toBeLessThan(0.05)
    expect(counts.top()[0]?.value).toBe("often")
    expect(counts.top()[0]?.count).toBeGreaterThan(19_000)
  })

  it("never find more distinct values than there are", () => {
    for (const count of [1001, 3000, 20_000, 60_000]) {
      const counts = countsOf(Array.from({ length: count }, (_, at) => at * 0.5))
      expect(counts.distinct()).toBeLessThanOrEqual(count)
    }
  })

  it("find values that become frequent late", () => {
    const counts = countsOf([
      ...Array.from({ length: 5000 }, (_, at) => at),
      ...Array.from({ length: 100 }, () => "late"),
    ])
    expect(counts.top()[0]).toEqual({ value: "late", count: 100 })
  })

  it("count long strings, but do not list them as most frequent", () => {
    const long = (end: string) => `${"x".repeat(200)}${end}`
    const counts = countsOf([long("a"), long("b"), long("a"), "short"])
    expect([counts.distinct(), counts.isEstimated(), counts.top()]).toEqual([3, true, [{ value: "short", count: 1 }]])
  })
})

describe("the estimated number of distinct values", () => {
  it.each([0, 1, 10, 1000, 10_000, 100_000, 1_000_000])("is close to %i", (count) => {
    const estimate = createDistinctEstimate()
    for (let at = 0; at < count; at++) estimate.add(String(at))
    for (let at = 0; at < count; at += 3) estimate.add(String(at))
    expect(Math.abs(estimate.count() - count)).toBeLessThanOrEqual(0.05 * count)
  })
})
