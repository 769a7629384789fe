import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { flipRate, majority, parseReducer, passAtK, passPowK } from "./repeats.ts"

describe("passAtK and passPowK", () => {
  it.each(STATISTICS_CASES.pass_at_k)("agree with the reference: $id", ({ input, expect, tolerance, id }) => {
    expectClose(passAtK(input.n, input.c, input.k), expect.pass_at_k, tolerance, id)
    expectClose(passPowK(input.n, input.c, input.k), expect.pass_pow_k, tolerance, id)
  })

  it("equal the plain rate at k = 1 and move apart as k grows", () => {
    const repeats = fc.integer({ min: 2, max: 100 }).chain((n) => fc.tuple(fc.constant(n), fc.nat({ max: n })))
    fc.assert(
      fc.property(repeats, ([n, successes]) => {
        expectClose(passAtK(n, successes, 1), successes / n, 1e-12)
        expectClose(passPowK(n, successes, 1), successes / n, 1e-12)
        for (let k = 2; k <= n; k++) {
          expect(passAtK(n, successes, k)).toBeGreaterThanOrEqual(passAtK(n, successes, k - 1) - 1e-12)
          expect(passPowK(n, successes, k)).toBeLessThanOrEqual(passPowK(n, successes, k - 1) + 1e-12)
          expectClose(passPowK(n, successes, k), 1 - passAtK(n, n - successes, k), 1e-9)
        }
      }),
      { numRuns: 30 },
    )
  })

  it("refuse more draws than repeats", () => {
    expect(() => passAtK(5, 1, 6)).toThrow("k: '6' is not possible; give a whole number from 1 to 5")
    expect(() => passPowK(5, 6, 1)).toThrow("successes: '6'")
    expect(() => passAtK(1.5, 1, 1)).toThrow("repeats: '1.5'")
  })
})

describe("parseReducer", () => {
  it.each(STATISTICS_CASES.reducers)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    expectClose(parseReducer(input.reducer)(input.scores), expect.value, tolerance, id)
  })

  it.each([
    ["median", 2],
    ["mode", 0],
    ["max", 8],
    ["at_least_4", 0],
    ["at_least_2(value=6)", 1],
    ["pass_at_2(value=6)", 0.6],
    ["pass_pow_2(value=6)", 1 / 15],
  ])("parses %s", (text, expected) => {
    expectClose(parseReducer(text)([6, 0, 0, 0, 8, 4]), expected, 1e-12)
  })

  it("leaves out NaN, and returns NaN without scores", () => {
    expect(parseReducer("mean")([1, Number.NaN, 0])).toBe(0.5)
    expect(parseReducer("median")([3, 1, 2])).toBe(2)
    expect(parseReducer("max")([Number.NaN])).toBeNaN()
  })

  it.each(["average", "at_least_0", "pass_at_", "mean()", "toString", "pass_at_2(value=x)"])("refuses %s", (text) => {
    expect(() => parseReducer(text)).toThrow(`'${text}' is not a reducer; use mean`)
  })
})

describe("majority", () => {
  it("needs more than half of the votes", () => {
    expect(majority(["safe", "unsafe", "safe"])).toBe("safe")
    expect(majority(["safe", "unsafe"])).toBeNull()
    expect(majority([1, 2, 3, 3])).toBeNull()
    expect(majority([])).toBeNull()
  })
})

describe("flipRate", () => {
  it("counts only rows that were answered more than once", () => {
    const answers = [["safe"], ["safe", "unsafe"], ["safe", "safe", "safe"], []]
    expect(flipRate(answers)).toEqual({ flipped: 1, rows: 2, rate: 0.5 })
    expect(flipRate([["safe"]])).toEqual({ flipped: 0, rows: 0, rate: null })
  })
})
