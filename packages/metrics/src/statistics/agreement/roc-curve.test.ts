import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { AGREEMENT_CASES } from "../../testing/agreement-cases.ts"
import { rocCurve } from "./roc-curve.ts"

const scored = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 8 })), { minLength: 2, maxLength: 40 })
  .filter((rows) => rows.some(([label]) => label) && rows.some(([label]) => !label))

describe("rocCurve", () => {
  it.each(AGREEMENT_CASES.roc)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    const curve = rocCurve(input.labels, input.scores)
    expectClose(curve?.auc, expect.auc, tolerance, id)
    expectClose(curve?.average_precision, expect.average_precision, tolerance, id)
  })

  it("has an area equal to the share of pairs in the right order, with ties as half", () => {
    fc.assert(
      fc.property(scored, (rows) => {
        const [labels, scores] = [rows.map(([label]) => label), rows.map(([, score]) => score)]
        const wins = rows.flatMap(([unsafe, high]) =>
          unsafe ? rows.filter(([label]) => !label).map(([, low]) => (high > low ? 1 : high === low ? 0.5 : 0)) : [],
        )
        const auc = wins.reduce((sum: number, win) => sum + win, 0) / wins.length
        expectClose(rocCurve(labels, scores)?.auc, auc, 1e-12)
        expectClose(
          rocCurve(
            labels,
            scores.map((score) => -score),
          )?.auc,
          1 - auc,
          1e-12,
        )
        expectClose(
          rocCurve(
            labels.map((label) => !label),
            scores,
          )?.auc,
          1 - auc,
          1e-12,
        )
      }),
    )
  })

  it("returns the threshold with the highest recall at a false positive rate", () => {
    fc.assert(
      fc.property(scored, fc.double({ min: 0, max: 1, noNaN: true }), (rows, rate) => {
        const curve = rocCurve(
          rows.map(([label]) => label),
          rows.map(([, score]) => score),
        )
        const point = curve?.recallAt(rate)
        const blockedAt = (least: number, unsafe: boolean) => {
          const of = rows.filter(([label]) => label === unsafe)
          return of.filter(([, score]) => score >= least).length / of.length
        }
        const threshold = point?.threshold ?? Infinity
        expectClose(point?.recall, blockedAt(threshold, true), 1e-12)
        expect(blockedAt(threshold, false)).toBeLessThanOrEqual(rate)
        for (const [, other] of rows) {
          if (blockedAt(other, false) <= rate) expect(blockedAt(other, true)).toBeLessThanOrEqual(point?.recall ?? 0)
        }
      }),
    )
  })

  it("blocks no row if every block exceeds the rate", () => {
    const curve = rocCurve([0, 1], [0.9, 0.1])
    expect(curve?.recallAt(0.05)).toMatchObject({ threshold: null, recall: 0, false_positive_rate: 0 })
    expect(curve?.points.map(({ threshold }) => threshold)).toEqual([null, 0.9, 0.1])
  })

  it("is null if all rows have one label, and refuses scores that are NaN", () => {
    expect(rocCurve([1, 1], [0.1, 0.2])).toBeNull()
    expect(rocCurve([], [])).toBeNull()
    expect(() => rocCurve([0, 1], [0.1])).toThrow("as many scores as there are labels: 2")
    expect(() => rocCurve([0, 1], [0.1, Number.NaN])).toThrow("scores: 'NaN'")
    expect(() => rocCurve([0, 2], [0.1, 0.2])).toThrow("labels: '2'")
  })
})
