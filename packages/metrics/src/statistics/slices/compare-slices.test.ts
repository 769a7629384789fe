import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../create-random.ts"
import { summarize } from "../summary/create-summary.ts"
import { type ComparedSlice, compareSlices } from "./compare-slices.ts"
import { fisherExact } from "./fisher-exact.ts"
import { markSlices } from "./mark-slices.ts"

/** Values of two slices. The expected numbers are those of SciPy 1.10.1 and statsmodels 0.13.5. */
function twoSlices(own: readonly number[], rest: readonly number[], clusters?: readonly number[]) {
  const slices = [...own.map(() => 0), ...rest.map(() => 1)]
  return compareSlices({ values: [...own, ...rest], slices, clusters }, 2)
}
function isAnyMarked(tests: readonly ComparedSlice[]): boolean {
  return markSlices(tests.map(({ difference }) => difference?.p ?? null)).some(({ isMarked }) => isMarked)
}
const bits = (right: number, of: number) => Array.from({ length: of }, (_, at) => (at < right ? 1 : 0))
const LOW = [0.2, 0.5, 0.1, 0.4, 0.35, 0.6]
const HIGH = [0.9, 0.7, 0.8, 0.65, 0.3, 0.95, 0.85, 0.75]

describe("the marks of slices", () => {
  it("agree with statsmodels' fdr_bh, ties and order included", () => {
    const marks = markSlices([0.001, 0.2, null, 0.03, 0.03, 0.5, 0.0004, 1, 0.049])
    const expected = [0.004, 0.26666666666666666, null, 0.06, 0.06, 0.5714285714285714, 0.0032, 1, 0.0784]
    for (const [at, p] of expected.entries()) {
      if (p === null) expect(marks[at]).toEqual({ pAdjusted: null, isMarked: false })
      else expect(marks[at]?.pAdjusted).toBeCloseTo(p, 14)
    }
    expect(marks.map(({ isMarked }) => isMarked)).toEqual(expected.map((p) => p !== null && p <= 0.05))
    expect(markSlices([])).toEqual([])
    expect(() => markSlices([0.5, Number.NaN])).toThrow("a probability")
  })

  it("are on any slice in at most 5 of 100 sets without differences", verifies("slices.false-marks"), () => {
    const random = createRandom(11)
    let marked = 0
    for (let set = 0; set < 500; set++) {
      const values = Array.from({ length: 300 }, () => (random() < 0.8 ? 1 : 0))
      const slices = values.map(() => Math.floor(random() ** 2 * 12))
      const tests = compareSlices({ values, slices }, 12)
      if (isAnyMarked(tests)) marked++
    }
    expect(marked).toBeGreaterThan(0)
    expect(marked / 500).toBeLessThanOrEqual(0.05)
  })
})

describe("Fisher's exact test", () => {
  it.each([
    [3, 2, 45, 5, 0.11624742257372668],
    [0, 5, 90, 10, 3.109962623903738e-5],
    [12, 8, 700, 300, 0.33324141843847116],
    [50, 50, 5000, 4000, 0.26785968364188784],
    [0, 6, 0, 6, 1],
  ])("of %i right and %i wrong against %i and %i agrees with SciPy", (rightA, wrongA, rightB, wrongB, p) => {
    expect(fisherExact({ rightA, wrongA, rightB, wrongB }) / p).toBeCloseTo(1, 7)
  })

  it("takes a million rows", () => {
    const p = fisherExact({ rightA: 250_000, wrongA: 250_000, rightB: 300_000, wrongB: 200_000 })
    expect(p).toBe(0)
    expect(fisherExact({ rightA: 2e5, wrongA: 3e5, rightB: 2e5, wrongB: 3e5 })).toBeCloseTo(1, 6)
  })
})

describe("slices", () => {
  it("of a rate have Newcombe's interval of the difference and Fisher's p", () => {
    const [own, rest] = twoSlices(bits(12, 20), bits(700, 1000))
    expect(own).toMatchObject({ count: 20, mean: 0.6, interval: { method: "wilson" } })
    expect(own?.difference?.interval).toMatchObject({
      low: expect.closeTo(-0.31519488413756724, 12),
      high: expect.closeTo(0.08351913247802922, 12),
      method: "newcombe",
    })
    expect(own?.difference?.p).toBeCloseTo(0.33324141843847116, 9)
    expect(rest?.difference?.value).toBeCloseTo(0.1, 12)
    expect(rest?.difference?.interval?.low).toBeCloseTo(-0.08351913247802922, 12)
  })

  it("of few other scores have the p of the permutation test, and repeats of a row count once", () => {
    const once = twoSlices(LOW, HIGH)[0]
    // 22 of the 3,003 choices of 6 values have a sum as far from the mean.
    const p = 22 / 3003
    expect(once?.difference?.p).toBeGreaterThan(p)
    expect(once?.difference?.p).toBeLessThan(1.8 * p)
    expect(twoSlices(HIGH, LOW)[0]?.difference?.p).toBe(once?.difference?.p)
    const clusters = [...LOW, ...HIGH].flatMap((_, at) => [at, at, at])
    const thrice = (values: readonly number[]) => values.flatMap((value) => [value, value, value])
    const repeated = twoSlices(thrice(LOW), thrice(HIGH), clusters)[0]
    expect(repeated?.count).toBe(18)
    expect(repeated?.difference?.p).toBe(once?.difference?.p)
    expect(repeated?.difference?.interval?.low).toBeCloseTo(once?.difference?.interval?.low ?? 0, 12)
  })

  it("of many scores have Welch's p", () => {
    const spread = (from: number) => Array.from({ length: 120 }, (_, at) => from + (at % 10) / 10)
    // As SciPy's ttest_ind with equal_var=False.
    expect(twoSlices(spread(0), spread(0.1))[0]?.difference?.p).toBeCloseTo(0.00775, 4)
  })

  it.each<readonly [string, (random: Random) => number]>([
    ["most values near the upper end", (random) => (random() < 0.9 ? 0.95 + 0.05 * random() : random())],
    ["values with a long tail", (random) => Math.exp(3 * (random() + random() + random() - 1.5))],
    ["grades", (random) => 5 - Math.floor(5 * random() ** 3)],
  ])(
    "have a mark in about 5 of 100 sets without differences or fewer, for %s",
    verifies("slices.false-marks"),
    (_, draw) => {
      const random = createRandom(12)
      let marked = 0
      for (let set = 0; set < 100; set++) {
        const values = Array.from({ length: 12 * 12 }, () => draw(random))
        const tests = compareSlices({ values, slices: values.map((_value, at) => at % 12) }, 12)
        if (isAnyMarked(tests)) marked++
      }
      expect(marked).toBeLessThanOrEqual(11)
    },
  )

  it("that share groups of rows with others are not tested if the groups are few", () => {
    const values = Array.from({ length: 120 }, (_, at) => (at % 2) + (at % 7) / 10)
    const slices = values.map((_, at) => at % 2)
    const clusters = values.map((_, at) => Math.floor(at / 4))
    expect(compareSlices({ values, slices, clusters }, 2)[0]?.difference?.p).toBeNull()
  })

  it("have the interval that a summary of their values alone has", () => {
    const random = createRandom(5)
    const values = Array.from({ length: 400 }, () => random() ** 3 * 1e4)
    const rates = values.map((value) => (value < 2000 ? 1 : 0))
    const slices = values.map((_, at) => (at % 40 < 12 ? 0 : 1))
    // Clusters within a slice, and clusters with values in both.
    for (const clusters of [undefined, values.map((_, at) => Math.floor(at / 4)), values.map((_, at) => at % 30)]) {
      for (const own of [values, rates]) {
        const [first] = compareSlices({ values: own, slices, clusters }, 2)
        const indexes = [...own.keys()].filter((at) => slices[at] === 0)
        const rows = clusters && indexes.map((at) => clusters[at] ?? 0)
        const alone = summarize(
          indexes.map((at) => own[at] ?? 0),
          { ...(rows && { rows }) },
        )
        expect(first?.mean).toBeCloseTo(alone.mean, 8)
        expect(first?.interval?.low).toBeCloseTo(alone.interval?.low ?? Number.NaN, 6)
        expect(first?.interval?.high).toBeCloseTo(alone.interval?.high ?? Number.NaN, 6)
      }
    }
  })

  it("of equal values have no interval below 30 rows, and are tested", () => {
    const [own] = twoSlices(Array<number>(20).fill(0.1), HIGH)
    expect(own).toMatchObject({ interval: null, difference: { interval: null } })
    expect(own?.difference?.p).toBeLessThan(0.001)
    expect(twoSlices(Array<number>(20).fill(0.1), Array<number>(20).fill(0.1))[0]?.difference?.p).toBe(1)
  })

  it("of fewer than 5 rows are not tested, even if all of them are wrong", () => {
    expect(twoSlices(bits(0, 4), bits(990, 1000))[0]?.difference).toMatchObject({ p: null })
    expect(twoSlices(bits(0, 5), bits(990, 1000))[0]?.difference?.p).toBeLessThan(1e-6)
    expect(twoSlices([0.1, 0.2, 0.3], HIGH)[0]?.difference).toMatchObject({ interval: null, p: null })
  })

  it("without values have no mean, and without a rest no difference", () => {
    const [full, empty] = compareSlices({ values: [1, 0], slices: [0, 0] }, 2)
    expect(full).toMatchObject({ count: 2, mean: 0.5, difference: null })
    expect(empty).toEqual({ count: 0, mean: Number.NaN, interval: null, difference: null })
  })
})
