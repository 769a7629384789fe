import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom, type Random } from "../create-random.ts"
import { meanOf } from "../exact/exact-sum.ts"
import { studentQuantile } from "../distributions/beta-distribution.ts"
import { meanInterval, standardError } from "./mean-interval.ts"
import { unitsOf } from "./units.ts"

describe("an interval of values of any size", () => {
  const VALUES = Array.from({ length: 40 }, (_, at) => 1 + (at % 5))
  const one = meanInterval(unitsOf(VALUES))

  it.each([1e-300, 1e-110, 1e110, 1e300])("is that of the same values times %d", (factor) => {
    const interval = meanInterval(unitsOf(VALUES.map((value) => value * factor)))
    expectClose((interval?.low ?? Number.NaN) / factor, one?.low, 1e-12)
    expectClose((interval?.high ?? Number.NaN) / factor, one?.high, 1e-12)
  })

  it("is the value if all values are the largest number", () => {
    const interval = meanInterval({
      ...unitsOf(Array.from({ length: 30 }, () => Number.MAX_VALUE)),
      mean: Number.MAX_VALUE,
    })
    expect(interval).toMatchObject({ low: Number.MAX_VALUE, high: Number.MAX_VALUE })
  })

  it("is null if an end is larger than any number", () => {
    expect(meanInterval(unitsOf([...VALUES.map(() => 1.5e308), ...VALUES.map(() => -1e307)]))).not.toBeNull()
    expect(meanInterval(unitsOf([1.7e308, 1.7e308, 1.7e308, 1.7e308, 1.7e308, -1e308]))).toBeNull()
  })
})

interface Population {
  readonly name: string
  readonly mean: number
  readonly draw: (random: Random) => number
}

const POPULATIONS: readonly Population[] = [
  { name: "uniform values", mean: 0.5, draw: (random) => random() },
  { name: "grades from 1 to 5", mean: 3.4, draw: (random) => gradeOf(random()) },
  {
    name: "normal values",
    mean: 0,
    draw: (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  },
  { name: "exponential values", mean: 1, draw: (random) => -Math.log(1 - random()) },
]
const SIMULATIONS = 2000
/** Three standard deviations of a share that is estimated by all simulations. */
const NOISE = 3 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)

/** Returns 1 to 5 with probabilities 0.1, 0.15, 0.2, 0.35 and 0.2. */
function gradeOf(at: number): number {
  return 1 + [0.1, 0.25, 0.45, 0.8].filter((bound) => at >= bound).length
}

/** Returns the share of intervals that contain the true mean, among the samples that have an interval. */
function coverage({ mean, draw }: Population, n: number): number {
  const random = createRandom(n)
  const sums = new Float64Array(n)
  let held = 0
  let found = 0
  for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
    for (let at = 0; at < n; at++) sums[at] = draw(random)
    const interval = meanInterval({ sums, sizes: null })
    if (interval === null) continue
    found++
    if (interval.low <= mean && mean <= interval.high) held++
  }
  return held / found
}

describe("meanInterval", () => {
  it.each(POPULATIONS.flatMap((population) => [5, 6, 8, 10, 20, 50].map((n) => ({ population, n }))))(
    "contains the mean of $n $population.name 93 to 97 times in 100",
    ({ population, n }) => {
      const share = coverage(population, n)
      expect(share).toBeGreaterThan(0.93 - NOISE)
      expect(share).toBeLessThan(0.97 + NOISE)
    },
  )

  it("is Student's interval for symmetric values, and longer on the side of a tail", () => {
    const even = unitsOf([1, 2, 3, 4, 5])
    const reach = (studentQuantile(0.975, 4) * Math.sqrt(2.5)) / Math.sqrt(5)
    const { low = 0, high = 0 } = meanInterval(even) ?? {}
    expectClose(low, 3 - reach, 1e-12)
    expectClose(high, 3 + reach, 1e-12)
    const skewed = meanInterval(unitsOf([1, 1, 1, 2, 10]))
    expect((skewed?.high ?? 0) - 3).toBeGreaterThan(2 * (3 - (skewed?.low ?? 0)))
    const mirrored = meanInterval(unitsOf([-1, -1, -1, -2, -10]))
    expectClose(mirrored?.low, -(skewed?.high ?? 0), 1e-9)
    expectClose(mirrored?.high, -(skewed?.low ?? 0), 1e-9)
  })

  it("is null for fewer than 5 values, and for fewer than 30 equal values", () => {
    expect(meanInterval(unitsOf([1, 2, 3, 4]))).toBeNull()
    expect(meanInterval(unitsOf([1, 2, 3, 4, 5, 6], [1, 1, 2, 2, 3, 3]))).toBeNull()
    expect(meanInterval(unitsOf(Array<number>(29).fill(0.1)))).toBeNull()
    expectClose(meanInterval(unitsOf(Array<number>(30).fill(0.1)))?.low, 0.1, 1e-12)
  })

  it.each([
    ["near 1", 5, 0.9275],
    ["near 1", 10, 0.9275],
    ["near 1", 20, 0.9275],
    ["near 0", 10, 0.0725],
  ])("contains the mean of bounded values %s at least 95 times in 100 at n = %i", (end, n, mean) => {
    const random = createRandom(n)
    let held = 0
    let unbounded = 0
    const holds = (sums: Float64Array, range?: readonly [number, number]) => {
      const { low, high } = meanInterval({ sums, sizes: null }, { range }) ?? { low: 0, high: 1 }
      return low <= mean && mean <= high
    }
    for (let simulation = 0; simulation < 200; simulation++) {
      const near = Float64Array.from({ length: n }, () => (random() < 0.9 ? 0.95 + 0.05 * random() : random()))
      const sums = end === "near 1" ? near : near.map((value) => 1 - value)
      if (holds(sums, [0, 1])) held++
      if (holds(sums)) unbounded++
    }
    expect(held / 200).toBeGreaterThanOrEqual(0.95)
    expect(unbounded / 200).toBeLessThan(0.9)
  })

  it(
    "never leaves the range, contains the sample's mean, and is the same in any order",
    verifies("metric.scale"),
    () => {
      const values = fc.array(fc.oneof(fc.constantFrom(1, 5, 4.9), fc.double({ min: 1, max: 5, noNaN: true })), {
        minLength: 5,
        maxLength: 40,
      })
      fc.assert(
        fc.property(values, fc.integer({ min: 1, max: 4 }), (all, size) => {
          const units = unitsOf(
            all,
            all.map((_, at) => Math.floor(at / size)),
          )
          const found = meanInterval(units, { range: [1, 5] })
          if (found === null) return
          expect(found.low).toBeGreaterThanOrEqual(1)
          expect(found.high).toBeLessThanOrEqual(5)
          expect(found.low).toBeLessThanOrEqual(meanOf(all))
          expect(found.high).toBeGreaterThanOrEqual(meanOf(all))
          const other = { sums: units.sums.toReversed(), sizes: units.sizes?.toReversed() ?? null, mean: units.mean }
          expect(meanInterval(other, { range: [1, 5] })).toEqual(found)
        }),
        { numRuns: 40 },
      )
    },
  )

  it("has an interval for a few equal values that are bounded", () => {
    const { low, high, method } = meanInterval(unitsOf(Array<number>(10).fill(0.8)), { range: [0, 1] }) ?? {
      low: 1,
      high: 0,
    }
    expect([low < 0.65, low > 0.4, high > 0.85, high <= 1, method]).toEqual([true, true, true, true, "betting"])
    expect(meanInterval(unitsOf(Array<number>(10).fill(1)), { range: [0, 1] })?.high).toBe(1)
  })

  it("contains the mean of groups of very different sizes about as often as it says", () => {
    const random = createRandom(3)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    let held = 0
    for (let simulation = 0; simulation < 2000; simulation++) {
      const sizes = Float64Array.from({ length: 7 }, () => Math.max(1, Math.round(80 * Math.exp(0.8 * normal()))))
      const sums = sizes.map((size) => size * (3 + 0.6 * normal()))
      const { low, high } = meanInterval({ sums, sizes }) ?? { low: -Infinity, high: Infinity }
      if (low <= 3 && 3 <= high) held++
    }
    expect(held / 2000).toBeGreaterThan(0.935)
    expect(held / 2000).toBeLessThan(0.985)
  })

  it("is null if one group is nearly as large as all others together", () => {
    const sizes = Float64Array.of(1, 1, 1, 1, 1, 1, 1000)
    expect(meanInterval({ sums: sizes.map((size) => size / 2 + (size > 1 ? 1 : 0)), sizes })).toBeNull()
  })

  it("contains the mean of clustered values as often, which it would not if they counted as independent", () => {
    const random = createRandom(7)
    const [groups, size] = [10, 8]
    let clustered = 0
    let ungrouped = 0
    for (let simulation = 0; simulation < 2000; simulation++) {
      const values: number[] = []
      const names: number[] = []
      for (let group = 0; group < groups; group++) {
        const shared = random()
        for (let at = 0; at < size; at++) {
          values.push((shared + random()) / 2)
          names.push(group)
        }
      }
      const holds = (units: ReturnType<typeof unitsOf>) => {
        const interval = meanInterval(units)
        return interval !== null && interval.low <= 0.5 && 0.5 <= interval.high
      }
      if (holds(unitsOf(values, names))) clustered++
      if (holds(unitsOf(values))) ungrouped++
    }
    expect(clustered / 2000).toBeGreaterThan(0.925)
    expect(clustered / 2000).toBeLessThan(0.98)
    expect(ungrouped / 2000).toBeLessThan(0.75)
  })
})

describe("standardError", () => {
  it("is that of the sample for single values, and clustered for values of one row", () => {
    expectClose(standardError(unitsOf([1, 2, 3, 4, 5])), Math.sqrt(2.5 / 5), 1e-12)
    expectClose(standardError(unitsOf([1, 1, 3, 3], [0, 0, 1, 1])), 1, 1e-12)
    expect(standardError(unitsOf([1]))).toBeNaN()
  })
})
