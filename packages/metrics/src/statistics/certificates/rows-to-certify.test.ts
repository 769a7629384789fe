import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { pRateAboveLimit } from "./rate-bounds.ts"
import { rowsToCertify } from "./rows-to-certify.ts"

const MAX_TRIED = 1500

/** Tries all numbers of rows. */
function tryAll(limit: number, rate: number, alpha: number): number {
  for (let n = 1; n <= MAX_TRIED; n++) {
    if (pRateAboveLimit({ count: Math.ceil(n * rate - 1e-9), n }, limit) <= alpha) return n
  }
  return Infinity
}

describe("rowsToCertify", () => {
  it("is 59 for a limit of 5 % without a fault, and more the nearer the rate is to the limit", () => {
    expect([0, 0.02, 0.04, 0.049].map((rate) => rowsToCertify(0.05, rate))).toEqual([59, 181, 1348, 129_000])
  })

  it(
    "is the smallest number of rows that certifies the limit, as found by trying all",
    verifies("certify.more-rows"),
    () => {
      const share = fc.double({ min: 0, max: 0.8, noNaN: true })
      const limit = fc.double({ min: 0.02, max: 0.6, noNaN: true })
      fc.assert(
        fc.property(limit, share, fc.constantFrom(0.01, 0.05, 0.2), (highest, part, alpha) => {
          const found = rowsToCertify(highest, highest * part, alpha)
          expect(found > MAX_TRIED ? Infinity : found).toBe(tryAll(highest, highest * part, alpha))
        }),
        { numRuns: 60 },
      )
    },
  )

  it("is infinite for a rate that is not below the limit, and above ten million rows", () => {
    expect([0.05, 0.2, 1, 0.0499].map((rate) => rowsToCertify(0.05, rate))).toEqual(Array(4).fill(Infinity))
  })

  it("refuses a rate and a limit in percent", () => {
    expect(() => rowsToCertify(5, 0.02)).toThrow("limit: '5' is not possible")
    expect(() => rowsToCertify(0.05, 2)).toThrow("rate: '2' is not possible")
  })
})
