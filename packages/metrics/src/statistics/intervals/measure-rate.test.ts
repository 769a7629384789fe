import { expect, it } from "vitest"
import { measureRate, wilsonInterval } from "./rate-intervals.ts"

it("a measured rate carries its counts and Wilson's interval", () => {
  const { low, high } = wilsonInterval(3, 8, { confidence: 0.9 })
  expect(measureRate(3, 8, { confidence: 0.9 })).toEqual({ count: 3, n: 8, rate: 0.375, low, high })
})

it("a measured rate of nothing is null and may be anything", () => {
  expect(measureRate(0, 0)).toEqual({ count: 0, n: 0, rate: null, low: 0, high: 1 })
})
