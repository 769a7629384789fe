import { expect, it } from "vitest"
import { formatScore } from "./format-score.ts"

it.each([
  [0, "0"],
  [1, "1"],
  [0.66666, "0.667"],
  [0.5, "0.5"],
  [41.2654, "41.27"],
  [1234.56, "1,235"],
  [12_345, "12,345"],
  [0.00001234, "1.23e-5"],
  [-0.25, "-0.25"],
  ["NaN", "–"],
  [null, "–"],
] as const)("a score of %s reads %s", (value, text) => {
  expect(formatScore(value)).toBe(text)
})
