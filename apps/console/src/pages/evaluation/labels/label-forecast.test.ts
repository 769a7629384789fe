import { expect, it } from "vitest"
import { labelForecast } from "./label-forecast.ts"

const of = (labels: number, reach: number, rows = 1000, missing = 0) => {
  const interval = { low: 0.5 - reach, high: 0.5 + reach, confidence: 0.95, method: "" }
  return labelForecast({ labels, rows, labels_missing: missing, corrected: { mean: 0.5, interval } })
}

it("says what more labels would give, by the square root of their number", () => {
  expect(of(4, 0.3, 1000, 6)).toBe("6 more labels until there is an interval.")
  expect(of(25, 0.1)).toBe(
    "The interval is ±0.1. 20 more labels would make it about ±0.0745. About 75 more give ±0.05.",
  )
  expect(of(25, 0.1, 50)).toMatch(/All 25 rows that are left would not give ±0\.05\.$/u)
  expect(of(50, 0.04)).toBe("The interval is ±0.04. 20 more labels would make it about ±0.0338.")
  expect(of(50, 0.04, 50)).toBe("The interval is ±0.04. Every row has a label.")
  expect(labelForecast({ labels: 0, rows: 5, labels_missing: 0, corrected: null })).toBe("")
})
