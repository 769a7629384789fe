import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatEvenScore } from "./even-score.ts"

describe("scores of a column", () => {
  it("have equal decimals, unless they are very small, large or missing", verifies("console.even-scores"), () => {
    const column = [1, 0, 0.7061, 0.07692, -0.5, 0.000_01, 1234.5, null, "NaN", undefined] as const
    expect(column.map(formatEvenScore)).toEqual([
      "1.000",
      "0.000",
      "0.706",
      "0.077",
      "-0.500",
      "1.00e-5",
      "1,235",
      "–",
      "–",
      "–",
    ])
  })
})
