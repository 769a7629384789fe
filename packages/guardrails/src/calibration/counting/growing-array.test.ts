import { describe, expect, it } from "vitest"
import { createGrowingArray } from "./growing-array.ts"

describe("a growing array", () => {
  it("keeps its values while it grows, and is empty elsewhere", () => {
    const numbers = createGrowingArray((length) => new Float64Array(length), Number.NaN)
    for (let index = 0; index < 5_000; index += 2) numbers.set(index, index / 8)
    numbers.set(40_000, 1)
    expect([0, 2, 1_022, 1_024, 4_998, 40_000].map((index) => numbers.get(index))).toEqual([
      0, 0.25, 127.75, 128, 624.75, 1,
    ])
    expect([1, 5_000, 39_999, 40_001, 1e9].map((index) => numbers.get(index))).toEqual([NaN, NaN, NaN, NaN, NaN])
    expect(numbers.length).toBe(40_001)
  })
})
