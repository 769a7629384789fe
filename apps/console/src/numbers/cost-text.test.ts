import { describe, expect, it } from "vitest"
import { costTexts } from "./cost-text.ts"

describe("costs of one column", () => {
  it("Costs of one currency have equal decimals", () => {
    const column = [{ "": 0.010_12 }, { "": 0.0081 }, { "": 0.000_18 }, { "": 0.000_01 }, {}]
    expect(column.map(costTexts(column))).toEqual(["0.0101", "0.0081", "0.0002", "< 0.0001", "unknown"])
  })

  it("Each currency has its own decimals, and at least two", () => {
    const column = [{ USD: 120, EUR: 0.5 }, { USD: 0 }]
    expect(column.map(costTexts(column))).toEqual(["120.00 USD + 0.500 EUR", "0.00 USD"])
  })
})
