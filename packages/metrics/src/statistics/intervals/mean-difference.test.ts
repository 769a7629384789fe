import { expect, it } from "vitest"
import { meanDifference } from "./mean-difference.ts"

it("meanDifference combines the reaches of two intervals as Zou and Donner do", () => {
  const a = { mean: 0.6, interval: { low: 0.5, high: 0.65, confidence: 0.95 } }
  const b = { mean: 0.4, interval: { low: 0.36, high: 0.52, confidence: 0.95 } }
  const { difference, interval } = meanDifference(a, b)
  expect(difference).toBeCloseTo(0.2, 12)
  expect(interval?.low).toBeCloseTo(0.2 - Math.hypot(0.1, 0.12), 12)
  expect(interval?.high).toBeCloseTo(0.2 + Math.hypot(0.05, 0.04), 12)
  expect(meanDifference(a, { mean: 0, interval: null })).toEqual({ difference: 0.6, interval: null })
})
