import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { STATISTICS_CASES } from "../../testing/statistics-cases.ts"
import { createRandom } from "../create-random.ts"
import { mcnemarExact, signPermutationTest } from "./significance-tests.ts"

describe("mcnemarExact", () => {
  it.each(STATISTICS_CASES.mcnemar_exact)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    const found = mcnemarExact(input.b, input.c)
    expectClose(found.p_two_sided, expect.p_two_sided, tolerance, id)
    expectClose(found.p_one_sided, expect.p_one_sided, tolerance, id)
  })

  // SciPy 1.17.
  it.each([
    [60, 40, 0.05688793364098089],
    [500_300, 499_700, 0.5491729059131272],
  ])("is exact for %d against %d", (onlyA, onlyB, p) => {
    expectClose(mcnemarExact(onlyA, onlyB).p_two_sided, p, 1e-12)
  })

  it("has p = 1 if the two never differed", () => {
    expect(mcnemarExact(0, 0)).toEqual({ p_two_sided: 1, p_one_sided: 1 })
  })

  it("is a probability, and is symmetric", () => {
    fc.assert(
      fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (onlyA, onlyB) => {
        const { p_two_sided: p, p_one_sided: oneSided } = mcnemarExact(onlyA, onlyB)
        expect(p >= 0 && p <= 1 && oneSided >= 0 && oneSided <= 1).toBe(true)
        expectClose(mcnemarExact(onlyB, onlyA).p_two_sided, p, 0)
      }),
    )
  })

  it("refuses values that are not counts", () => {
    expect(() => mcnemarExact(0.5, 1)).toThrow("onlyA: '0.5' is not possible; give a count of rows")
    expect(() => mcnemarExact(1, -1)).toThrow("onlyB")
  })
})

describe("signPermutationTest", () => {
  it.each(STATISTICS_CASES.sign_permutation)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    expectClose(signPermutationTest(input.differences).p, expect.p, tolerance, id)
  })

  it("agrees with SciPy's permutation_test over all signs", () => {
    expect(signPermutationTest([1.1, -0.4, 2.3, 0.9, -0.2, 1.7, 0.3])).toEqual({ p: 0.09375, method: "exact" })
  })

  it("agrees with McNemar's test if all differences have the same size", () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 50 }), (worse, better, same) => {
        const differences = [Array(worse).fill(-0.3), Array(better).fill(0.3), Array(same).fill(0)].flat()
        expectClose(signPermutationTest(differences).p, mcnemarExact(worse, better).p_two_sided, 1e-9)
      }),
    )
  })

  it("comes close to the exact value with random signs, and is the same for the same seed", () => {
    const differences = Array.from({ length: 60 }, (_, at) => (at < 38 ? 1 : -1))
    const exact = mcnemarExact(22, 38).p_two_sided
    const drawn = signPermutationTest(differences, { seed: 4 })
    expect(drawn.method).toBe("resampled")
    expectClose(drawn.p, exact, 0.008)
    expect(signPermutationTest(differences, { random: createRandom(4) })).toEqual(drawn)
  })

  it("is never 0 with random signs", () => {
    expect(signPermutationTest(Array(100).fill(1), { resamples: 99 }).p).toBe(0.01)
  })

  it("uses the normal limit for thousands of values, unless one outweighs the others", () => {
    const random = createRandom(9)
    const differences = Float64Array.from({ length: 2100 }, () => random() - 0.49)
    const limit = signPermutationTest(differences)
    const drawn = signPermutationTest(differences.slice(0, 2000))
    expect([limit.method, drawn.method]).toEqual(["normal", "resampled"])
    const wave = Float64Array.from({ length: 2100 }, (_, at) => (at < 1085 ? 1 : -1))
    expectClose(signPermutationTest(wave).p, mcnemarExact(1015, 1085).p_two_sided, 0.006)
    expect(signPermutationTest(wave.with(0, 1000), { resamples: 100 }).method).toBe("resampled")
  })

  it("has p = 1 without differences, and refuses values that are not finite", () => {
    expect(signPermutationTest([])).toEqual({ p: 1, method: "exact" })
    expect(signPermutationTest([0, 0])).toEqual({ p: 1, method: "exact" })
    expect(() => signPermutationTest([Number.NaN])).toThrow("differences: 'NaN' is not possible")
  })
})
