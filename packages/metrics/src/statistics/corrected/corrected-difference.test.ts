import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom, type Random } from "../create-random.ts"
import { comparePaired } from "../significance/compare-paired.ts"
import { correctDifference } from "./corrected-difference.ts"
import type { JudgedPair } from "./pair-units.ts"

const RANGE = [0, 1] as const
const chance = (share: number, random: Random) => (random() < share ? 1 : 0)
const label = (value: number) => ({ label: value, probability: 1 })
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface Row {
  readonly scores: readonly [number, number]
  readonly people: readonly [number, number]
  readonly cluster?: number
  readonly isSame?: boolean
}

/** Gives labels to the first rows on both sides, or to the first of A and the last of B. */
function withLabels(rows: readonly Row[], count: number, isPaired = true): readonly JudgedPair[] {
  return rows.map(({ scores, people, cluster, isSame = false }, at) => {
    const hasB = isPaired ? at < count : at >= rows.length - count
    const labels = [at < count ? label(people[0]) : undefined, hasB ? label(people[1]) : undefined] as const
    return { scores, labels, isSame, cluster }
  })
}

type Judge = readonly [sensitivity: number, specificity: number]

interface Setting {
  readonly rows: number
  readonly labels: number
  readonly rates: readonly [number, number]
  readonly judges: readonly [Judge, Judge]
}

function draw({ rows, rates, judges }: Setting, random: Random): readonly Row[] {
  const score = (people: number, [sensitivity, specificity]: Judge) =>
    people === 1 ? chance(sensitivity, random) : 1 - chance(specificity, random)
  return Array.from({ length: rows }, () => {
    const a = chance(rates[0], random)
    // Models agree on most rows.
    const b = random() < 0.6 ? Math.min(a, chance(Math.min(1, rates[1] / rates[0]), random)) : chance(rates[1], random)
    return { people: [a, b], scores: [score(a, judges[0]), score(b, judges[1])] }
  })
}

const good: Judge = [0.95, 0.95]

/** PPI++ for a difference of means, written out: Angelopoulos, Duchi and Zrnic, "PPI++" (2023), with the least squares weight of each side. */
function ppi(rows: readonly Row[], n: number): { readonly difference: number; readonly error: number } {
  const side = (at: 0 | 1) => {
    const labels = rows.slice(0, n).map(({ people }) => people[at])
    const seen = rows.slice(0, n).map(({ scores }) => scores[at])
    const all = rows.map(({ scores }) => scores[at])
    const together = meanOf(labels.map((one, i) => one * (seen[i] ?? 0))) - meanOf(labels) * meanOf(seen)
    const weight = together / (meanOf(seen.map((one) => one * one)) - meanOf(seen) ** 2)
    return { labels, seen, all, weight, mean: meanOf(labels) + weight * (meanOf(all) - meanOf(seen)) }
  }
  const [a, b] = [side(0), side(1)]
  const errors = b.labels.map(
    (one, i) => one - b.weight * (b.seen[i] ?? 0) - ((a.labels[i] ?? 0) - a.weight * (a.seen[i] ?? 0)),
  )
  const predicted = b.all.map((one, i) => b.weight * one - a.weight * (a.all[i] ?? 0))
  const variance = (values: readonly number[]) => meanOf(values.map((value) => (value - meanOf(values)) ** 2))
  return { difference: b.mean - a.mean, error: Math.sqrt(variance(errors) / n + variance(predicted) / rows.length) }
}

describe("correctDifference", () => {
  it("equals prediction-powered inference, written out", verifies("corrected.comparison"), () => {
    const random = createRandom(3)
    for (const labels of [40, 400]) {
      const rows = draw({ rows: 2000, labels, rates: [0.8, 0.6], judges: [good, [0.9, 0.7]] }, random)
      const { difference, interval } = correctDifference(withLabels(rows, labels), { range: RANGE, draws: 1000 })
      const naive = ppi(rows, labels)
      expectClose(difference ?? 0, naive.difference, 1e-9)
      const reach = 1.96 * naive.error
      // Errors that no label shows make it wider, the more so the fewer labels there are.
      const [least, most] = labels === 40 ? [1, 1.7] : [0.97, 1.2]
      for (const end of [naive.difference - (interval?.low ?? 0), (interval?.high ?? 0) - naive.difference]) {
        expect(end / reach).toBeGreaterThan(least)
        expect(end / reach).toBeLessThan(most)
      }
    }
  })

  it.each<readonly [string, Setting, isPaired: boolean]>([
    ["pairs and a good judge", { rows: 100, labels: 30, rates: [0.7, 0.7], judges: [good, good] }, true],
    [
      "a judge that is lenient to one model",
      { rows: 200, labels: 60, rates: [0.8, 0.6], judges: [good, [1, 0.5]] },
      true,
    ],
    [
      "a random judge, and labels of other rows on each side",
      {
        rows: 300,
        labels: 100,
        rates: [0.7, 0.6],
        judges: [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
      },
      false,
    ],
    [
      "rare failures",
      {
        rows: 200,
        labels: 50,
        rates: [0.98, 0.97],
        judges: [
          [0.99, 0.5],
          [0.99, 0.5],
        ],
      },
      true,
    ],
  ])(
    "contains what people see at least 95 times in 100 with %s",
    verifies("corrected.comparison-coverage"),
    (name, setting, isPaired) => {
      const random = createRandom(name.length)
      const simulations = 150
      // The mean of what `draw` gives to people, if the second rate is not above the first.
      const truth = setting.rates[1] - setting.rates[0]
      let held = 0
      for (let at = 0; at < simulations; at++) {
        const pairs = withLabels(draw(setting, random), setting.labels, isPaired)
        const { interval } = correctDifference(pairs, { range: RANGE, draws: 300, random })
        if (interval !== null && interval.low <= truth && truth <= interval.high) held++
      }
      expect(held / simulations).toBeGreaterThan(0.95 - 3 * Math.sqrt((0.95 * 0.05) / simulations))
    },
  )

  it("includes errors of the judge that no label shows", verifies("corrected.comparison-coverage"), () => {
    const rows = Array.from({ length: 1000 }, (): Row => ({ people: [1, 1], scores: [1, 1] }))
    const { difference, interval } = correctDifference(withLabels(rows, 20), { range: RANGE })
    expect(difference).toBe(0)
    expect(interval?.low).toBeLessThan(-0.14)
    expect(interval?.high).toBeLessThan(0.3)
  })

  it("compares the labels alone if all that differs has labels", verifies("corrected.comparison-same"), () => {
    const random = createRandom(8)
    const rows = draw({ rows: 60, labels: 60, rates: [0.8, 0.5], judges: [good, good] }, random)
    const halves = rows.map((row, at) => (at < 20 ? row : { ...row, isSame: true }))
    const found = correctDifference(withLabels(halves, 20), { range: RANGE })
    const people = (side: 0 | 1) => halves.map((row) => (row.isSame ? 0 : row.people[side]))
    const labels = comparePaired(people(0), people(1))
    expect(found).toMatchObject({ isComplete: true, differing: 20, rows: 60, interval: labels?.interval })
    expect(found.difference).toBe(labels?.difference)
  })

  it("counts clusters once, and is wider for rows that belong together", () => {
    const random = createRandom(5)
    const rows = Array.from({ length: 400 }, (_, at): Row => {
      const cluster = Math.floor(at / 20)
      const people = [1, cluster % 2] as const
      return { people, scores: people, cluster }
    })
    const shuffled = rows.map((row) => ({ row, key: random() })).toSorted((a, b) => a.key - b.key)
    const order = shuffled.map(({ row }) => row)
    const widthOf = (own: readonly Row[]) => {
      const { interval } = correctDifference(withLabels(own, 200), { range: RANGE })
      return (interval?.high ?? 0) - (interval?.low ?? 0)
    }
    const single = order.map(({ people, scores }) => ({ people, scores }))
    expect(widthOf(order)).toBeGreaterThan(2 * widthOf(single))
  })

  it("has no interval for fewer than 10 labels on a side, and refuses labels off the range", () => {
    const rows = draw({ rows: 50, labels: 9, rates: [0.8, 0.6], judges: [good, good] }, createRandom(1))
    expect(correctDifference(withLabels(rows, 9), { range: RANGE })).toMatchObject({ interval: null, labels: [9, 9] })
    expect(correctDifference(withLabels(rows, 0), { range: RANGE })).toMatchObject({ difference: null, interval: null })
    expect(() => correctDifference(withLabels(rows, 9), { range: [0, 0.5] })).toThrow(/label/)
  })

  it("gives the same interval for more rows than it keeps apart, whatever their order", () => {
    const random = createRandom(2)
    const rows = Array.from({ length: 900 }, (): Row => {
      const [a, b] = [random(), random()]
      return { people: [a, b], scores: [a * 0.9, b * 0.9] }
    })
    const labelled = withLabels(rows, 300)
    const one = correctDifference(labelled, { range: RANGE, draws: 500 })
    expect(correctDifference(labelled.toReversed(), { range: RANGE, draws: 500 }).interval).toEqual(one.interval)
    expectClose(one.difference ?? 0, ppi(rows, 300).difference, 1e-9)
  })
})
