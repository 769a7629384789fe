import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AGREEMENT_CASES } from "../../testing/agreement-cases.ts"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom } from "../create-random.ts"
import { krippendorffAlpha } from "./krippendorff-alpha.ts"
import type { Label } from "./kappa.ts"

const LEVELS = ["nominal", "ordinal", "interval"] as const
const value = fc.option(fc.integer({ min: -3, max: 3 }))
const rated = fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 12 })

/** Returns the values of each row, from a list for each rater. */
function rowsOf(raters: readonly (readonly (Label | null)[])[]): readonly (readonly (Label | null)[])[] {
  return (raters[0] ?? []).map((_, row) => raters.map((values) => values[row] ?? null))
}

describe("krippendorffAlpha", () => {
  it.each(AGREEMENT_CASES.krippendorff_alpha)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    for (const level of LEVELS)
      expectClose(krippendorffAlpha(rowsOf(input), { level, resamples: 1 }).alpha, expect[level], tolerance, id)
  })

  it("is at most 1, is 1 only if the values of each row are equal, and does not depend on the order of raters", () => {
    fc.assert(
      fc.property(rated, fc.constantFrom(...LEVELS), (rows, level) => {
        const { alpha, n } = krippendorffAlpha(rows, { level, resamples: 1 })
        const pairable = rows.map((row) => row.filter((one) => one !== null)).filter((row) => row.length > 1)
        expect(n).toBe(pairable.length)
        if (new Set(pairable.flat()).size < 2) {
          expect(alpha).toBeNull()
          return
        }
        expect(alpha).toBeLessThanOrEqual(1)
        expect(alpha === 1).toBe(pairable.every((row) => new Set(row).size === 1))
        const reversed = rows.map((row) => row.toReversed())
        expectClose(krippendorffAlpha(reversed, { level, resamples: 1 }).alpha, alpha, 1e-12)
      }),
    )
  })

  it("does not depend on the unit or the zero of an interval scale, even near the largest numbers", () => {
    const rows = rowsOf(AGREEMENT_CASES.krippendorff_alpha[1].input)
    const alphaOf = (change: (one: number) => number) =>
      krippendorffAlpha(
        rows.map((row) => row.map((one) => (one === null ? null : change(Number(one))))),
        { level: "interval", resamples: 1 },
      ).alpha
    for (const change of [(one: number) => one * 3e307, (one: number) => one * 1e-300, (one: number) => one - 1e6])
      expectClose(alphaOf(change), 0.8491071428571428, 1e-9)
  })

  it("has an interval that is the same for the same seed, and no interval for full agreement", () => {
    const rows = rowsOf(AGREEMENT_CASES.krippendorff_alpha[1].input)
    const { alpha, interval } = krippendorffAlpha(rows, { seed: 7, resamples: 500 })
    expect(interval).toMatchObject({ confidence: 0.95, method: "bootstrap" })
    expect(interval?.low).toBeLessThan(alpha ?? 0)
    expect(interval?.high).toBeGreaterThan(alpha ?? 1)
    expect(krippendorffAlpha(rows, { seed: 7, resamples: 500 }).interval).toEqual(interval)
    expect(krippendorffAlpha(rows, { seed: 8, resamples: 500 }).interval).not.toEqual(interval)
    expect(
      krippendorffAlpha([
        ["a", "a"],
        ["b", "b"],
        ["a", null],
      ]),
    ).toEqual({ alpha: 1, n: 2, interval: null })
  })

  it("covers the true alpha about as often as its confidence says", () => {
    // Two raters say the truth, a fair coin, with probability 0.9: they agree in 0.82 of the rows, so alpha is 1 − 0.18 / 0.5.
    const random = createRandom(5)
    const says = (truth: boolean) => (random() < 0.9 ? truth : !truth)
    let covered = 0
    for (let run = 0; run < 100; run++) {
      const rows = Array.from({ length: 100 }, () => {
        const truth = random() < 0.5
        return [says(truth), says(truth)]
      })
      const { interval } = krippendorffAlpha(rows, { resamples: 200, random })
      if (interval !== null && interval.low <= 0.64 && interval.high >= 0.64) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(88)
    expect(covered).toBeLessThan(100)
  })

  it("draws at most 10,000 rows in each resample, and still has an interval as narrow as all rows allow", () => {
    const measured = (times: number) => {
      const random = createRandom(3)
      let drawn = 0
      const counted = () => {
        drawn++
        return random()
      }
      const rows = Array.from({ length: 10_000 * times }, (_, at) => {
        const row = Math.floor(at / times)
        return [row % 2 === 0, row % 3 === 0]
      })
      const { alpha, interval } = krippendorffAlpha(rows, { random: counted, resamples: 40 })
      return { drawn, below: (alpha ?? 0) - (interval?.low ?? 0) }
    }
    const [all, more] = [measured(1), measured(9)]
    expect([all.drawn, more.drawn]).toEqual([400_000, 400_000])
    expect(all.below / more.below).toBeCloseTo(3, 1)
  })

  it("treats NaN as missing, and refuses words on a scale of numbers", () => {
    expect(krippendorffAlpha([[1, Number.NaN], [], [2]])).toEqual({ alpha: null, n: 0, interval: null })
    expect(() => krippendorffAlpha([["a", "b"]], { level: "ordinal" })).toThrow("rows: 'a'")
    expect(() => krippendorffAlpha([[1, Infinity]], { level: "interval" })).toThrow("rows: 'Infinity'")
    expect(() => krippendorffAlpha([], { resamples: 0 })).toThrow("resamples: '0'")
  })
})
