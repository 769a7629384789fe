import { describe, expect, it } from "vitest"
import { createRandom } from "../create-random.ts"
import { unitsOf } from "../intervals/units.ts"
import { splitVariance } from "./variance-parts.ts"

function split(rows: readonly (readonly number[])[]) {
  const values = rows.flat()
  const clusters = rows.flatMap((row, at) => row.map(() => at))
  const squares = values.reduce((sum, value) => sum + value ** 2, 0)
  return splitVariance(unitsOf(values, clusters), squares)
}

describe("the parts of a variance", () => {
  it("are those of an analysis of variance with unequal numbers of values", () => {
    // From statsmodels 0.13.5 (anova_lm of an ordinary least squares fit), with the estimators written out in NumPy.
    const found = split([
      [1, 0, 1],
      [0, 0, 0],
      [1, 1, 1],
      [0.5, 0.25, 1],
      [0, 1],
    ])
    expect(found?.rows).toBe(5)
    expect(found?.between).toBeCloseTo(0.08219076448243111, 12)
    expect(found?.within).toBeCloseTo(0.16203703703703706, 12)
    expect(found?.widths.askedOnce).toBeCloseTo(1.319104220523543, 12)
    expect(found?.widths.askedTwice).toBeCloseTo(0.8903875198536608, 12)
    expect(found?.widths.askedForever).toBeCloseTo(0.7652319066938509, 12)
    expect(found?.widths.spread).toBeCloseTo(0.790334288643871, 12)
  })

  it("are all of the rows if their answers never differ, and none if rows do not differ", () => {
    const same = split([0, 1, 1, 0].map((value) => [value, value, value]))
    expect(same).toMatchObject({ within: 0, widths: { askedOnce: 1, askedTwice: 1, askedForever: 1 } })
    expect(same?.widths.spread).toBeCloseTo(Math.sqrt(1 / 3), 12)
    const alike = split([0, 1, 2, 3].map(() => [0, 1]))
    expect(alike).toMatchObject({ between: 0, widths: { askedForever: 0, spread: 1 } })
    expect(alike?.widths.askedTwice).toBeCloseTo(Math.SQRT1_2, 12)
  })

  it("are unknown without repeats, with one row, and if nothing varies", () => {
    expect(split([[0], [1]])).toBeNull()
    expect(split([[0, 1]])).toBeNull()
    expect(
      split([
        [0.1, 0.1],
        [0.1, 0.1, 0.1],
      ]),
    ).toBeNull()
  })

  it.each([
    [0.2, 0.02],
    [0.02, 0.2],
  ])("are found on average for rows that vary by %f and answers by %f", (between, within) => {
    const random = createRandom(5)
    /** A number with mean 0 and variance 1. */
    const draw = () => Math.sqrt(12) * (random() - 0.5)
    const runs = 400
    let rows = 0
    let answers = 0
    for (let run = 0; run < runs; run++) {
      const found = split(
        Array.from({ length: 60 }, () => {
          const mean = draw() * Math.sqrt(between)
          return Array.from({ length: 3 }, () => mean + draw() * Math.sqrt(within))
        }),
      )
      rows += (found?.between ?? 0) / runs
      answers += (found?.within ?? 0) / runs
    }
    expect(Math.abs(rows / between - 1)).toBeLessThan(0.05)
    expect(Math.abs(answers / within - 1)).toBeLessThan(0.05)
  })
})
