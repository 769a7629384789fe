import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { expectClose } from "../../testing/expect-close.ts"
import { createRandom, type Random } from "../create-random.ts"
import { correctMean, type CorrectedMean, type LabelledScore } from "./corrected-mean.ts"

type Judge = (label: number, random: Random) => number

const chance = (share: number, random: Random) => (random() < share ? 1 : 0)
/** A judge that calls a share of the good answers good, and a share of the bad ones bad. */
const verdicts = (sensitivity: number, specificity: number): Judge => {
  return (label, random) => (label === 1 ? chance(sensitivity, random) : 1 - chance(specificity, random))
}
const JUDGES: Readonly<Record<string, Judge>> = {
  "a perfect judge": (label) => label,
  "a judge that is biased up": verdicts(1, 0.6),
  "a judge that is biased down": verdicts(0.6, 1),
  "a random judge": verdicts(0.5, 0.5),
  "an anti-correlated judge": verdicts(0.15, 0.15),
  "a constant judge": () => 1,
}

interface Setting {
  readonly labels: number
  readonly rows: number
  readonly rate: number
}

/** Draws rows of which the first ones are labelled. */
function draw(judge: Judge, { labels, rows, rate }: Setting, random: Random): CorrectedMean {
  const labelled: LabelledScore[] = []
  let sum = 0
  for (let at = 0; at < rows; at++) {
    const label = chance(rate, random)
    const score = judge(label, random)
    sum += score
    if (at < labels) labelled.push({ score, label })
  }
  return correctMean(labelled, { rows, mean: sum / rows })
}

const good: LabelledScore = { score: 1, label: 1 }

function widthOf(interval: CorrectedMean["interval"]): number {
  return interval === null ? NaN : interval.high - interval.low
}

describe("correctMean", () => {
  const simulations = 1000
  const noise = 3 * Math.sqrt((0.95 * 0.05) / simulations)

  it.each(Object.keys(JUDGES))(
    "contains the mean of people 93 to 97 times in 100 for %s",
    verifies("corrected.coverage"),
    (name) => {
      const judge = JUDGES[name] as Judge
      const random = createRandom(name.length)
      const setting = { labels: 100, rows: 1000, rate: 0.7 }
      let [held, widest] = [0, 0]
      for (let simulation = 0; simulation < simulations; simulation++) {
        const { interval, peopleInterval } = draw(judge, setting, random)
        if (interval !== null && interval.low <= setting.rate && setting.rate <= interval.high) held++
        widest = Math.max(widest, widthOf(interval) / widthOf(peopleInterval))
      }
      expect(held / simulations).toBeGreaterThan(0.93 - noise)
      expect(held / simulations).toBeLessThan(0.97 + noise)
      // One more parameter is fitted, which widens Student's interval by less than a hundredth.
      expect(widest).toBeLessThan(1.02)
    },
  )

  it(
    "makes 200 labels worth 350 or more with a sensitivity of 0.92 and a specificity of 0.75",
    verifies("corrected.worth"),
    () => {
      const random = createRandom(3)
      const worth = Array.from({ length: 200 }, () => {
        return draw(verdicts(0.92, 0.75), { labels: 200, rows: 5000, rate: 0.5 }, random).worth ?? 0
      })
      expect(worth.reduce((sum, one) => sum + one, 0) / worth.length).toBeGreaterThan(350)
    },
  )

  it(
    "contains the mean of people if unsure scores were drawn more often, which it would not without their probabilities",
    verifies("corrected.probabilities"),
    () => {
      const random = createRandom(11)
      let [held, biased] = [0, 0]
      for (let simulation = 0; simulation < simulations; simulation++) {
        const labelled: LabelledScore[] = []
        const [rows, wanted] = [1000, 100]
        let sum = 0
        for (let at = 0; at < rows; at++) {
          const score = random()
          // People agree with high scores, and are much stricter about middling ones.
          const label = chance(score * score, random)
          sum += score
          const probability = 0.2 + 4 * score * (1 - score)
          if (random() < (probability * wanted) / rows / 0.867) labelled.push({ score, label, probability })
        }
        const holds = (given: readonly LabelledScore[]) => {
          const { interval } = correctMean(given, { rows, mean: sum / rows })
          return interval !== null && interval.low <= 1 / 3 && 1 / 3 <= interval.high
        }
        if (holds(labelled)) held++
        if (holds(labelled.map(({ score, label }) => ({ score, label, probability: score > 0.5 ? 0.01 : 1 })))) biased++
      }
      expect(held / simulations).toBeGreaterThan(0.93 - noise)
      expect(held / simulations).toBeLessThan(0.98 + noise)
      expect(biased / simulations).toBeLessThan(0.9)
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

  it("has no interval for fewer than 10 labels, and while fewer than 5 differ from the others", () => {
    const labelsOf = (zeros: number, ones: number): LabelledScore[] => [
      ...Array.from({ length: zeros }, () => ({ score: 0, label: 0 })),
      ...Array.from({ length: ones }, () => good),
    ]
    const population = { rows: 1000, mean: 0.5 }
    expect(correctMean(labelsOf(4, 5), population)).toMatchObject({ interval: null, peopleInterval: null })
    expect(correctMean(labelsOf(4, 96), population)).toMatchObject({ interval: null, peopleInterval: null })
    expect(correctMean(labelsOf(5, 5), population).interval).not.toBeNull()
  })

  it.each([
    ["0", [], { rows: 10, mean: 0.5 }],
    ["'1'", [good, { score: 0, label: 0 }], { rows: 1, mean: 0.5 }],
    ["NaN", [good], { rows: 10, mean: NaN }],
    ["NaN", [{ score: NaN, label: 1 }], { rows: 10, mean: 0.5 }],
    ["Infinity", [{ score: 1, label: Infinity }], { rows: 10, mean: 0.5 }],
    ["-2", [{ score: 1, label: 1, probability: -2 }], { rows: 10, mean: 0.5 }],
  ] as const)("names the value %s that it can't use", (value, labelled, population) => {
    expect(() => correctMean(labelled, population)).toThrow(value)
  })
})
