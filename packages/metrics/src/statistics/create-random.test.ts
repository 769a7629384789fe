import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom } from "./create-random.ts"

const take = (seed: number, count: number) => {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => random())
}

describe("createRandom", () => {
  it("gives the same numbers for the same seed, and different ones for another seed", () => {
    expect(take(7, 5)).toEqual(take(7, 5))
    expect(take(7, 5)).not.toEqual(take(8, 5))
    // Computed separately from the definitions.
    expect(take(0, 10)).toEqual([
      0.8868539538234472, 0.26395898405462503, 0.012474989285692573, 0.6732365123461932, 0.0325221442617476,
      0.5129879189189523, 0.024408058263361454, 0.3695708899758756, 0.6123124507721514, 0.01353225321508944,
    ])
  })

  it("gives numbers of at least 0 and below 1 for any seed", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        for (const number of take(seed, 20)) expect(number >= 0 && number < 1).toBe(true)
      }),
    )
  })

  it("distributes numbers, and pairs of numbers, evenly over 16 bins", () => {
    const numbers = take(1, 160_000)
    const alone = new Float64Array(16)
    const inPairs = new Float64Array(16)
    for (const [at, number] of numbers.entries()) {
      const box = Math.floor(number * 16)
      alone[box] = (alone[box] ?? 0) + 1
      const pair = 4 * Math.floor(number * 4) + Math.floor((numbers[at + 1] ?? 0) * 4)
      inPairs[pair] = (inPairs[pair] ?? 0) + 1
    }
    for (const boxes of [alone, inPairs]) {
      const chiSquared = boxes.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
      // 15 degrees of freedom: the 99.9 % point.
      expect(chiSquared).toBeLessThan(37.7)
    }
  })
})
