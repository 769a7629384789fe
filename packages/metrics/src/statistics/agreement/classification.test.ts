import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { AGREEMENT_CASES } from "../../testing/agreement-cases.ts"
import { classification } from "./classification.ts"
import { cohenKappa, kappaOfTable } from "./kappa.ts"

describe("classification", () => {
  it.each(AGREEMENT_CASES.classification)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    const found: Readonly<Record<string, number | null>> = { ...classification(input) }
    for (const [name, expected] of Object.entries(expect))
      expectClose(found[name], expected, tolerance, `${id} ${name}`)
  })

  it("has a miss rate of 1 − recall, and null without rows", () => {
    expect(classification({ tp: 3, fp: 0, tn: 2, fn: 1 }).miss_rate).toBe(0.25)
    const nothing = classification({ tp: 0, fp: 0, tn: 0, fn: 0 })
    expect(new Set(Object.values(nothing))).toEqual(new Set([null]))
  })

  it("stays within its bounds", () => {
    const count = fc.nat({ max: 1e9 })
    fc.assert(
      fc.property(fc.record({ tp: count, fp: count, tn: count, fn: count }), (counts) => {
        const { mcc, ...rates } = classification(counts)
        expect(Math.abs(mcc ?? 0)).toBeLessThanOrEqual(1 + 1e-12)
        for (const rate of Object.values(rates)) expect(rate === null || (rate >= 0 && rate <= 1)).toBe(true)
      }),
    )
  })

  it("refuses counts below 0", () => {
    expect(() => classification({ tp: 1, fp: -1, tn: 0, fn: 0 })).toThrow("fp: '-1' is not possible; give a count")
  })
})

describe("kappa", () => {
  it.each(AGREEMENT_CASES.cohen_kappa)("agrees with the reference: $id", ({ input, expect, tolerance, id }) => {
    const found = "table" in input ? kappaOfTable(input.table) : cohenKappa([...input.a], [...input.b])
    expectClose(found.kappa, expect.kappa, tolerance, id)
    if ("agreement" in expect) expectClose(found.agreement, expect.agreement, tolerance, id)
  })

  it.each(AGREEMENT_CASES.weighted_kappa)("agrees with the reference with weights: $id", (one) => {
    for (const weights of ["none", "linear", "quadratic"] as const) {
      const { kappa, interval } = kappaOfTable(one.input, { weights })
      const found = [kappa, interval?.low, interval?.high]
      for (const [at, expected] of one.expect[weights].entries())
        expectClose(found[at], expected, one.tolerance, one.id)
    }
  })

  it("has no interval if all labels are equal, and a wider one with more confidence", () => {
    expect(cohenKappa([1, 2, 1], [1, 2, 1])).toEqual({ kappa: 1, agreement: 1, interval: null })
    const width = (confidence: number) => {
      const found = kappaOfTable(
        [
          [20, 5],
          [10, 15],
        ],
        { confidence },
      ).interval
      return (found?.high ?? 0) - (found?.low ?? 0)
    }
    expect(width(0.99)).toBeGreaterThan(width(0.9) * 1.5)
    expect(() => kappaOfTable([[1]], { confidence: 95 })).toThrow("confidence: '95'")
  })

  it("weighs numbers by their order, and other labels by the order that is given", () => {
    const order = ["bad", "fair", "good"]
    const [a, b] = [
      [3, 1, 2, 3, 1],
      [2, 1, 3, 3, 2],
    ]
    const words = (of: readonly number[]) => of.map((one) => order[one - 1] ?? "")
    const byNumber = cohenKappa(a, b, { weights: "linear" })
    expect(cohenKappa(words(a), words(b), { weights: "linear", order })).toEqual(byNumber)
    expect(cohenKappa(a, b, { weights: "quadratic", order: [1, 2, 3, 4, 5] }).kappa).toBe(
      cohenKappa(a, b, { weights: "quadratic" }).kappa,
    )
    expect(() => cohenKappa(["a"], ["b"], { weights: "linear" })).toThrow("the order of the labels")
    expect(() => cohenKappa(["a"], ["b"], { order: ["a"] })).toThrow("order: 'b'")
    const many = Array.from({ length: 1001 }, (_, at) => at)
    expect(() => cohenKappa(many, many)).toThrow("at most 1000 different labels")
  })

  it.each(AGREEMENT_CASES.kappa_real_data)(
    "agrees with the reference on labels of people and judges: $id",
    ({ input, expect, tolerance, id }) => {
      const found = kappaOfTable(input.table)
      expectClose(found.kappa, expect.kappa, tolerance, id)
      expectClose((found.agreement ?? 0) * input.n, expect.agreements, 1e-9, id)
    },
  )

  it("lies within -1 and 1, is symmetric, and is 1 only for equal labels", () => {
    const label = fc.constantFrom("safe", "unsafe", "controversial")
    fc.assert(
      fc.property(fc.array(fc.tuple(label, label), { maxLength: 30 }), (pairs) => {
        const [a, b] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
        const { kappa, agreement } = cohenKappa(a, b)
        expectClose(cohenKappa(b, a).kappa, kappa, 1e-12)
        if (kappa === null) expect(agreement === null || agreement === 1).toBe(true)
        else {
          expect(kappa >= -1 && kappa <= 1).toBe(true)
          expect(kappa === 1).toBe(agreement === 1)
        }
      }),
    )
  })

  it("distinguishes labels that only look alike", () => {
    expect(cohenKappa([1, true], ["1", "true"]).agreement).toBe(0)
  })

  it("refuses lists of different lengths and tables that are not square", () => {
    expect(() => cohenKappa([1], [])).toThrow("as many labels as there are in a: 1")
    expect(() => kappaOfTable([[1, 2], [3]])).toThrow("as many columns as rows")
    expect(() => kappaOfTable([[-1]])).toThrow("counts, 0 or more")
  })
})
