import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { keepMost } from "./keep-most.ts"

describe("keepMost", () => {
  it("keeps the heaviest values in order, and the first of equal ones", () => {
    const weights = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 })
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 8 }), (given, limit) => {
        const most = keepMost<number>(limit)
        for (const [at, weight] of given.entries()) most.offer(weight, () => at)
        const indexes = given.map((_, at) => at)
        const expected = indexes.toSorted((a, b) => (given[b] ?? 0) - (given[a] ?? 0) || a - b).slice(0, limit)
        expect(most.list()).toEqual(expected)
      }),
    )
  })
})
