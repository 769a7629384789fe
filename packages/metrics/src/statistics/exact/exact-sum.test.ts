import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createExactSquares, varianceOf } from "./exact-squares.ts"
import { createExactSum, exactSumOf, meanOf, sumOf } from "./exact-sum.ts"

function varianceOfAll(values: readonly number[]): number {
  const squares = createExactSquares()
  for (const value of values) squares.add(value)
  return varianceOf(exactSumOf(values), squares, values.length)
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const scores = fc.oneof(fc.constantFrom(0.1, 0.7, 0.8, 1 / 3, 1e-5), fc.double({ min: 0, max: 1, noNaN: true }))

describe("the exact sum", () => {
  // By fractions.Fraction of Python, converted to a float once.
  it.each<readonly [string, readonly number[], readonly [sum: number, mean: number, variance: number]]>([
    ["equal values", Array<number>(111).fill(0.7), [77.69999999999999, 0.7, 0]],
    ["values that cancel", [1e16, 1, -1e16, 1e-3], [1.001, 0.25025, 5e31]],
    ["halves of a last digit", [1, 2 ** -53, 2 ** -106], [1.0000000000000002, 0.33333333333333337, 0.2222222222222222]],
    ["the smallest numbers", [5e-324, 1e-323, 0], [1.5e-323, 5e-324, 0]],
    ["numbers whose sum is too large", [1.7e308, 1.7e308, 1.6e308], [Infinity, 1.6666666666666666e308, Infinity]],
    ["large numbers that cancel", [1.7e308, 1.7e308, -1.7e308, 3], [1.7e308, 4.25e307, Infinity]],
  ])("is rounded once: %s", (_, values, [sum, mean, variance]) => {
    expect([sumOf(values), meanOf(values), varianceOfAll(values)]).toEqual([sum, mean, variance])
  })

  it("does not depend on the order of the numbers, or on the parts in which they are added", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(finite, scores), { maxLength: 30 }), fc.nat(), (values, cut) => {
        const at = values.length === 0 ? 0 : cut % values.length
        const merged = exactSumOf(values.slice(at))
        merged.merge(exactSumOf(values.slice(0, at)))
        expect(merged.value()).toBe(sumOf(values))
        expect(meanOf(values.toReversed())).toBe(meanOf(values))
        expect(varianceOfAll(values.toSorted((a, b) => a - b))).toBe(varianceOfAll(values))
      }),
    )
  })

  it("has a mean within the values, which is that value if all are equal", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(scores, finite), { minLength: 1, maxLength: 40 }), scores, (values, value) => {
        expect(meanOf(values)).toBeGreaterThanOrEqual(Math.min(...values))
        expect(meanOf(values)).toBeLessThanOrEqual(Math.max(...values))
        const equal = values.map(() => value)
        expect([meanOf(equal), varianceOfAll(equal)]).toEqual([value, 0])
      }),
    )
  })

  it("has the variance of whole numbers, as far as numbers hold it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 26), max: 2 ** 26 }), { minLength: 1 }), (values) => {
        const n = BigInt(values.length)
        const sum = values.reduce((all, value) => all + BigInt(value), 0n)
        const squares = values.reduce((all, value) => all + BigInt(value) ** 2n, 0n)
        expect(sumOf(values)).toBe(Number(sum))
        if (n * squares - sum * sum <= 2n ** 53n) {
          expect(varianceOfAll(values)).toBe(Number(n * squares - sum * sum) / Number(n * n))
        }
      }),
    )
  })

  it("holds a bounded number of parts, however many numbers are added", () => {
    const sum = createExactSum()
    const usual = createExactSum()
    for (let at = 0; at < 100_000; at++) {
      sum.add(Math.sin(at) * 10 ** ((at % 580) - 295))
      usual.add(Math.sin(at))
    }
    expect(usual.parts().length).toBeLessThan(10)
    expect(sum.parts().length).toBeLessThan(1100)
  })
})
