import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { betaProbability, betaQuantile, studentQuantile } from "./beta-distribution.ts"
import { normalProbability, normalQuantile } from "./normal-distribution.ts"

const expectRelative = (actual: number, expected: number, tolerance: number) => {
  expectClose(actual, expected, tolerance * Math.abs(expected))
}

// Expected values: SciPy 1.17.
describe("normalQuantile", () => {
  it.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.6, 0.2533471031357997],
    [1e-10, -6.361340902404056],
    [0.999999, 4.753424308817087],
    [1e-300, -37.0470962993612],
  ])("of %d is %d", (p, expected) => expectRelative(normalQuantile(p), expected, 1e-14))

  it("is NaN outside of 0 to 1, and infinite at 0 and 1", () => {
    expect([-0.1, 1.1].map(normalQuantile)).toEqual([Number.NaN, Number.NaN])
    expect([0, 1].map(normalQuantile)).toEqual([-Infinity, Infinity])
  })

  it("is the inverse of normalProbability", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
        expectRelative(normalProbability(normalQuantile(p)), p, 1e-12)
      }),
    )
  })
})

describe("normalProbability", () => {
  it.each([
    [-10, 7.61985302416047e-24],
    [-3, 0.0013498980316300933],
    [-1, 0.15865525393145707],
    [0, 0.5],
    [2.9, 0.998134186699616],
    [3.1, 0.9990323967867817],
  ])("of %d is %d", (z, expected) => expectRelative(normalProbability(z), expected, 2e-14))
})

describe("betaProbability", () => {
  it.each([
    [0.1, 0.5, 0.5, 0.20483276469913345],
    [0.4, 2, 3, 0.5248],
    [0.2, 1e-3, 5, 0.9997834456464277],
  ])("of %d with %d and %d is %d", (x, a, b, expected) => expectRelative(betaProbability(x, a, b), expected, 1e-13))

  it("keeps 12 digits for large parameters", () => {
    expectRelative(betaProbability(0.333, 1e5, 2e5), 0.34940317176600605, 1e-12)
    expectRelative(betaProbability(0.5, 500_300, 499_701), 0.2745864529565636, 1e-12)
  })

  it("is 0 and 1 at the ends of its range", () => {
    expect([betaProbability(0, 2, 3), betaProbability(1, 2, 3)]).toEqual([0, 1])
  })

  it("is the inverse of betaQuantile", () => {
    const parameter = fc.double({ min: 0.2, max: 1000, noNaN: true })
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), parameter, parameter, (p, a, b) => {
        const x = betaQuantile(p, a, b)
        // Next to 1, doubles are too far apart to represent the quantile.
        if (x < 1 - 1e-9) expectClose(betaProbability(x, a, b), p, 1e-7)
      }),
      { numRuns: 50 },
    )
  })
})

describe("studentQuantile", () => {
  it.each(STATISTICS_CASES.standard_error.filter((example) => "df" in example.input))(
    "$id",
    ({ input, expect, id, tolerance }) => {
      if ("df" in input && "t" in expect) expectClose(studentQuantile(input.p, input.df), expect.t, tolerance, id)
    },
  )

  it.each([
    [0.8, 5, 0.9195437802408271],
    [0.6, 1, 0.32491969623290634],
    [0.025, 7, -2.3646242515927844],
    [0.975, Infinity, 1.959963984540054],
    [0.5, 4, 0],
  ])("of %d with %d degrees of freedom is %d", (p, degrees, expected) => {
    expectClose(studentQuantile(p, degrees), expected, 1e-9)
  })
})
