import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AGREEMENT_CASES } from "../../testing/agreement-cases.ts"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom } from "../create-random.ts"
import { pairAgreement } from "./pair-agreement.ts"

const pairsOf = ([a = [], b = []]: readonly (readonly number[])[]) => a.map((value, at) => [value, b[at] ?? 0] as const)
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one)

describe("pairAgreement", () => {
  it("has the kappa of scikit-learn and the alpha that Krippendorff published for two observers", () => {
    const [, letters, , table] = AGREEMENT_CASES.cohen_kappa
    const codes = (words: readonly string[]) => words.map((word) => word.codePointAt(0) ?? 0)
    const { kappa } = pairAgreement(pairsOf([codes(letters.input.a), codes(letters.input.b)]), { level: "nominal" })
    expectClose(kappa, letters.expect.kappa, letters.tolerance)
    const pairs = table.input.table.flatMap((row, a) => row.flatMap((count, b) => times(count, [a, b] as const)))
    expectClose(pairAgreement(pairs, { level: "nominal" }).kappa, table.expect.kappa, table.tolerance)
    const [, , published, opposite] = AGREEMENT_CASES.krippendorff_alpha
    for (const { input, expect: known, tolerance } of [published, opposite])
      for (const level of ["nominal", "interval"] as const)
        expectClose(pairAgreement(pairsOf(input), { level }).alpha, known[level], tolerance)
  })

  it("has intervals around the agreement, also if all rows agree, and none for a single value", () => {
    const pair = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 12 }), fc.boolean(), (pairs, isNominal) => {
        const found = pairAgreement(pairs, { level: isNominal ? "nominal" : "interval", scale: [0, 3] })
        const values = new Set(pairs.flat())
        expect(found.alpha === null).toBe(values.size < 2)
        expect(found.alpha_interval === null).toBe(values.size < 2)
        const { alpha, alpha_interval: interval } = found
        if (alpha === null || interval === null) return
        expect(interval.low).toBeLessThan(alpha)
        expect(interval.high).toBeGreaterThanOrEqual(Math.min(alpha, 0.99))
        expect(interval.high).toBeLessThanOrEqual(1)
      }),
      { numRuns: 15 },
    )
    // The estimate corrects for the number of rows, and the draws do not.
    expect(pairAgreement([[3, 0]], { level: "interval", scale: [0, 3] })).toMatchObject({
      alpha: 0,
      alpha_interval: { high: 0 },
    })
    const same = pairAgreement([...times(5, [0, 0] as const), ...times(5, [1, 1] as const)], { level: "nominal" })
    expect(same).toMatchObject({ same: 10, kappa: 1, alpha: 1, kappa_interval: { high: 1, method: "fiducial" } })
    // With 10 of 10 equal labels, up to 26 % may differ (Clopper and Pearson's 97.5 %: 0.308).
    expect(same.kappa_interval?.low).toBeGreaterThan(0.2)
    expect(same.kappa_interval?.low).toBeLessThan(0.5)
  })

  it("has intervals that contain the true agreement of 15 rows at least about as often as they say", () => {
    const random = createRandom(11)
    const agrees = (share: number) => random() < share
    let nominal = 0
    let numbers = 0
    for (let run = 0; run < 60; run++) {
      const labels = Array.from({ length: 15 }, () => {
        const truth = Number(agrees(0.5))
        return [truth, agrees(0.8) ? truth : 1 - truth] as const
      })
      const { kappa_interval: interval } = pairAgreement(labels, { level: "nominal", seed: run })
      if (interval !== null && interval.low <= 0.6 && interval.high >= 0.6) nominal++
      // Two uniform numbers agree by chance alone.
      const drawn = Array.from({ length: 15 }, () => [random(), random()] as const)
      const { alpha_interval: found } = pairAgreement(drawn, { level: "interval", scale: [0, 1], seed: run })
      if (found !== null && found.low <= 0 && found.high >= 0) numbers++
    }
    expect(nominal).toBeGreaterThanOrEqual(54)
    expect(numbers).toBeGreaterThanOrEqual(54)
  })

  it("counts many labels without a table, and refuses numbers that are not finite", () => {
    const many = Array.from({ length: 40 }, (_, at) => [at, at % 2 === 0 ? at : at + 1] as const)
    const found = pairAgreement(many, { level: "nominal" })
    expect(found).toMatchObject({ rows: 40, same: 20, kappa_interval: { method: "fleiss-cohen-everitt" } })
    expect(found.alpha_interval?.method).toBe("bootstrap")
    expect(() => pairAgreement([[1, Number.NaN]], { level: "nominal" })).toThrow("pairs: 'NaN'")
    expect(pairAgreement([], { level: "nominal" })).toMatchObject({ rows: 0, alpha: null, kappa: null })
  })
})
