import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { betaQuantile } from "../distributions/beta-distribution.ts"
import { createRandom, type Random } from "../create-random.ts"
import { correctMean, type CorrectedMean } from "./corrected-mean.ts"
import type { JudgedCluster, LabelledScore } from "./label-units.ts"

type Judge = (label: number, random: Random) => number

const chance = (share: number, random: Random) => (random() < share ? 1 : 0)
/** A judge that calls a share of the good answers good, and a share of the bad ones bad. */
const verdicts = (sensitivity: number, specificity: number): Judge => {
  return (label, random) => (label === 1 ? chance(sensitivity, random) : 1 - chance(specificity, random))
}

interface Setting {
  readonly judge: Judge
  readonly labels: number
  readonly rows: number
  readonly rate: number
}

interface Drawn extends CorrectedMean {
  /** The mean that people would find. */
  readonly truth: number
}

const DRAWS = 400

/** Draws rows of which the first ones are labelled. */
function draw({ judge, labels, rows, rate }: Setting, random: Random): Drawn {
  const labelled: LabelledScore[] = []
  let sum = 0
  let good = 0
  for (let at = 0; at < rows; at++) {
    const label = chance(rate, random)
    const score = judge(label, random)
    sum += score
    good += label
    if (at < labels) labelled.push({ score, label })
  }
  return { ...correctMean(labelled, { rows, mean: sum / rows }, { draws: DRAWS, random }), truth: good / rows }
}

function labelsOf(counts: Readonly<Record<"right" | "passed" | "missed" | "wrong", number>>): readonly LabelledScore[] {
  const some = (count: number, score: number, label: number) => Array.from({ length: count }, () => ({ score, label }))
  const { right, passed, missed, wrong } = counts
  return [...some(right, 1, 1), ...some(passed, 1, 0), ...some(missed, 0, 1), ...some(wrong, 0, 0)]
}

const widthOf = (interval: CorrectedMean["interval"]) => (interval === null ? Number.NaN : interval.high - interval.low)
const holds = (interval: CorrectedMean["interval"], truth: number) =>
  interval !== null && interval.low <= truth && truth <= interval.high
const good: LabelledScore = { score: 1, label: 1 }

describe("correctMean", () => {
  const simulations = 300
  // Three standard errors of a share of 0.95.
  const noise = 3 * Math.sqrt((0.95 * 0.05) / simulations)

  it.each<readonly [string, Setting]>([
    [
      "30 labels, a judge that passes a tenth of the bad rows",
      { judge: verdicts(1, 0.9), labels: 30, rows: 1500, rate: 0.79 },
    ],
    ["30 labels, a good judge", { judge: verdicts(0.97, 0.97), labels: 30, rows: 1500, rate: 0.8 }],
    ["60 labels, a random judge", { judge: verdicts(0.5, 0.5), labels: 60, rows: 1000, rate: 0.7 }],
    ["30 labels, a constant judge", { judge: () => 1, labels: 30, rows: 1000, rate: 0.7 }],
    ["100 labels, rare failures", { judge: verdicts(0.98, 0.5), labels: 100, rows: 1500, rate: 0.98 }],
  ])("contains the mean of people at least 95 times in 100 for %s", verifies("corrected.coverage"), (name, setting) => {
    const random = createRandom(name.length)
    let held = 0
    let passed = 0
    for (let simulation = 0; simulation < simulations; simulation++) {
      const { interval, truth } = draw(setting, random)
      if (holds(interval, truth)) held++
      // A gate on a limit that the rows do not keep.
      if ((interval?.low ?? 0) >= truth + 0.001) passed++
    }
    expect(held / simulations).toBeGreaterThan(0.95 - noise)
    expect(passed / simulations).toBeLessThanOrEqual(0.05)
  })

  it("includes errors of the judge that no label shows", verifies("corrected.coverage"), () => {
    const labelled = labelsOf({ right: 25, passed: 0, missed: 0, wrong: 5 })
    const { corrected, interval, worth } = correctMean(labelled, { rows: 20_000, mean: 0.815 })
    expectClose(corrected, 0.815, 1e-12)
    expect(interval?.low).toBeLessThan(0.815 - 0.815 * 0.1)
    expect(interval?.high).toBeGreaterThan(0.815 + 0.185 * 0.3)
    expect(worth).toBeLessThan(100)
  })

  it("has the bounds of Clopper and Pearson for labels of 0 and 1 alone", () => {
    const labelled = labelsOf({ right: 25, passed: 2, missed: 0, wrong: 3 })
    const { peopleInterval, interval } = correctMean(labelled, { rows: 1e9, mean: 0.782 })
    expect(Math.abs((peopleInterval?.low ?? 0) - betaQuantile(0.025, 25, 6))).toBeLessThan(0.008)
    expect(Math.abs((peopleInterval?.high ?? 0) - betaQuantile(0.975, 26, 5))).toBeLessThan(0.004)
    expect(widthOf(interval)).toBeLessThan(1.1 * widthOf(peopleInterval))
  })

  it("contains the mean of all documents if rows are clustered by document", verifies("corrected.clusters"), () => {
    const random = createRandom(8)
    const [documents, size, labels] = [50, 10, 100]
    const judge = verdicts(0.92, 0.75)
    let held = 0
    let ofRows = 0
    for (let simulation = 0; simulation < 200; simulation++) {
      const clusters = new Map<number, JudgedCluster>()
      const rows: LabelledScore[] = []
      for (let cluster = 0; cluster < documents; cluster++) {
        // The share of good rows differs from document to document, with a mean of 2/3.
        const rate = Math.max(random(), random())
        const own = Array.from({ length: size }, () => {
          const label = chance(rate, random)
          return { label, score: judge(label, random), cluster }
        })
        clusters.set(cluster, { rows: size, scores: own.reduce((sum, { score }) => sum + score, 0) })
        rows.push(...own)
      }
      const drawn = rows.map((row) => ({ row, key: random() })).toSorted((a, b) => a.key - b.key)
      const labelled = drawn.slice(0, labels).map(({ row }) => row)
      const mean = rows.reduce((sum, { score }) => sum + score, 0) / rows.length
      const population = { rows: rows.length, mean }
      if (holds(correctMean(labelled, { ...population, clusters }, { draws: DRAWS, random }).interval, 2 / 3)) held++
      if (holds(correctMean(labelled, population, { draws: DRAWS, random }).interval, 2 / 3)) ofRows++
    }
    expect(held / 200).toBeGreaterThanOrEqual(0.93)
    // The interval of the mean of these rows is not one of all documents.
    expect(ofRows / 200).toBeLessThan(0.93)
  })

  it(
    "makes 200 labels worth 300 or more with a sensitivity of 0.92 and a specificity of 0.75",
    verifies("corrected.worth"),
    () => {
      const random = createRandom(3)
      const setting = { judge: verdicts(0.92, 0.75), labels: 200, rows: 2000, rate: 0.5 }
      const worth = Array.from({ length: 60 }, () => draw(setting, random).worth ?? 0)
      expect(worth.reduce((sum, one) => sum + one, 0) / worth.length).toBeGreaterThan(300)
    },
  )

  it("is about as wide as the interval of the labels alone for a judge that says nothing", () => {
    const random = createRandom(4)
    const ratios = Array.from({ length: 60 }, () => {
      const drawn = draw({ judge: verdicts(0.5, 0.5), labels: 200, rows: 1000, rate: 0.7 }, random)
      return widthOf(drawn.interval) / widthOf(drawn.peopleInterval)
    })
    expect(ratios.reduce((sum, one) => sum + one, 0) / ratios.length).toBeLessThan(1.06)
  })

  it(
    "contains the mean of people if unsure scores were drawn more often, and is biased without their probabilities",
    verifies("corrected.probabilities"),
    () => {
      const random = createRandom(11)
      const simulations = 100
      let held = 0
      let off = 0
      let offWithout = 0
      for (let simulation = 0; simulation < simulations; simulation++) {
        const labelled: LabelledScore[] = []
        const [rows, wanted] = [1000, 100]
        let sum = 0
        let good = 0
        for (let at = 0; at < rows; at++) {
          const score = random()
          // People agree with high scores, and are much stricter about middling ones.
          const label = chance(score ** 4, random)
          sum += score
          good += label
          const probability = 0.2 + 4 * score * (1 - score)
          if (random() < (probability * wanted) / rows / 0.867) labelled.push({ score, label, probability })
        }
        const population = { rows, mean: sum / rows }
        const found = correctMean(labelled, population, { draws: 200, random })
        const without = labelled.map(({ score, label }) => ({ score, label }))
        if (holds(found.interval, good / rows)) held++
        off += found.people - good / rows
        offWithout += correctMean(without, population, { draws: 1, random }).people - good / rows
      }
      expect(held / simulations).toBeGreaterThanOrEqual(0.93)
      expect(Math.abs(off / simulations)).toBeLessThan(0.02)
      expect(Math.abs(offWithout / simulations)).toBeGreaterThan(0.025)
    },
  )

  it("equals prediction-powered inference with the rows without labels as a sample of their own", () => {
    const labelled = Array.from({ length: 40 }, (_, at): LabelledScore => {
      const score = ((at * 7) % 11) / 10
      return { score, label: at % 5 === 0 ? 0 : Math.round(score) }
    })
    const [rows, others] = [400, 0.42]
    const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const meanScore = meanOf(labelled.map(({ score }) => score))
    const mean = (meanScore * 40 + others * 360) / rows
    const { corrected, power } = correctMean(labelled, { rows, mean })
    expect(power).not.toBe(0)
    // PPI++ uses λ = slope / (1 + labels / others).
    const lambda = power / (1 + 40 / 360)
    expectClose(corrected, meanOf(labelled.map(({ label }) => label)) + lambda * (others - meanScore), 1e-12)
  })

  it("has equal numbers for any order of labels, and stays within the range of the labels", () => {
    const labelled = labelsOf({ right: 12, passed: 3, missed: 2, wrong: 8 }).map((one, at) => ({
      ...one,
      probability: 1 + (at % 3),
    }))
    const population = { rows: 200, mean: 0.9 }
    const found = correctMean(labelled, population)
    expect(correctMean(labelled.toReversed(), population)).toEqual(found)
    const high = correctMean(labelsOf({ right: 12, passed: 0, missed: 0, wrong: 1 }), { rows: 200, mean: 1 })
    expect(high.interval?.high).toBe(1)
    const grades = labelled.map(({ score, label }) => ({ score: 4 + score, label: 4 + label }))
    const graded = correctMean(grades, { rows: 200, mean: 4.9, scores: [4, 5] }, { range: [1, 5] })
    expect(graded.interval?.high).toBeLessThanOrEqual(5)
    expect(graded.interval?.low).toBeLessThan(4.5)
  })

  it("is a point if each row has a label, and has no interval for fewer than 10 labels", () => {
    const all = labelsOf({ right: 12, passed: 3, missed: 2, wrong: 8 })
    const found = correctMean(all, { rows: 25, mean: 15 / 25 })
    expectClose(found.corrected, 14 / 25, 1e-12)
    expectClose(widthOf(found.interval), 0, 1e-12)
    expect(found.worth).toBeNull()
    const few = labelsOf({ right: 4, passed: 0, missed: 0, wrong: 5 })
    expect(correctMean(few, { rows: 1000, mean: 0.5 })).toMatchObject({ interval: null, peopleInterval: null })
    const equal = labelsOf({ right: 10, passed: 0, missed: 0, wrong: 0 })
    expect(correctMean(equal, { rows: 1000, mean: 1 }).interval?.low).toBeLessThan(0.75)
  })

  it("takes more clusters than it draws one by one", () => {
    const clusters = new Map(Array.from({ length: 900 }, (_, at) => [at, { rows: 2, scores: at % 3 === 0 ? 0 : 2 }]))
    const labelled = Array.from({ length: 900 }, (_, at) => {
      return { score: at % 3 === 0 ? 0 : 1, label: at % 4 === 0 ? 0 : 1, cluster: at }
    })
    const population = { rows: 1800, mean: 2 / 3 }
    const { interval, peopleInterval } = correctMean(labelled, { ...population, clusters })
    // That of a mean of 900 independent labels: 2 × 1.96 × √(0.75 × 0.25 / 900).
    expect(widthOf(peopleInterval)).toBeGreaterThan(0.05)
    expect(widthOf(peopleInterval)).toBeLessThan(0.064)
    expect(widthOf(interval)).toBeLessThan(0.064)
  })

  it("takes thousands of labels that all differ", () => {
    const labelled = Array.from({ length: 3000 }, (_, at) => ({ score: (at * 0.618) % 1, label: at % 2 }))
    const { interval, peopleInterval } = correctMean(labelled, { rows: 1e6, mean: 0.5 })
    expect(widthOf(peopleInterval)).toBeGreaterThan(0.032)
    expect(widthOf(peopleInterval)).toBeLessThan(0.04)
    expect(widthOf(interval) / widthOf(peopleInterval)).toBeLessThan(1.05)
  })

  it.each([
    ["0", [], { rows: 10, mean: 0.5 }],
    ["'1'", [good, { score: 0, label: 0 }], { rows: 1, mean: 0.5 }],
    ["NaN", [good], { rows: 10, mean: NaN }],
    ["NaN", [{ score: NaN, label: 1 }], { rows: 10, mean: 0.5 }],
    ["Infinity", [{ score: 1, label: Infinity }], { rows: 10, mean: 0.5 }],
    ["-2", [{ score: 1, label: 1, probability: -2 }], { rows: 10, mean: 0.5 }],
    ["undefined", [good], { rows: 10, mean: 0.5, clusters: new Map([[0, { rows: 10, scores: 5 }]]) }],
  ] as const)("names the value %s that it can't use", (value, labelled, population) => {
    expect(() => correctMean(labelled, population)).toThrow(value)
  })

  it("names a label that is outside of the scale", () => {
    const range = [0, 1] as const
    expect(() => correctMean([{ score: 1, label: 100 }], { rows: 10, mean: 0.5 }, { range })).toThrow("from 0 to 1")
  })
})
