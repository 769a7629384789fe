import { describe, expect, it } from "vitest"
import { evenRange } from "./even-range.ts"

describe("the scale around values", () => {
  it.each([
    [0, 0.36, 0, 0.4],
    [0, 100, 0, 100],
    [0, 6.1, 0, 8],
    [0, 0.000181, 0, 0.0002],
    [0.00226, 0.591, 0, 0.6],
    [-3.2, 7, -5, 10],
    [0, 0, 0, 0.25],
    [5, 5, 4, 6],
  ])("from %d to %d has the even ends %d and %d", (least, most, from, to) => {
    const range = evenRange(least, most)
    expect(range[0]).toBeCloseTo(from, 9)
    expect(range[1]).toBeCloseTo(to, 9)
  })
})
