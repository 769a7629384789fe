import { createRatio, summarize } from "@assay/metrics"
import { formatCount, type Measurement, type Row } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

const SIMULATIONS = 1000
const LOWEST = 0.93
const SIZES = [5, 10, 20, 50, 100] as const
/** Two standard errors of a share of 0.95 in all simulations. */
const NOISE = 2 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)

interface Shape {
  readonly name: string
  readonly mean: number
  readonly draw: (random: Draw) => number
  /** Whether values are not bounded, such as numbers of tokens. */
  readonly isAmount?: boolean
}

const normal = (random: Draw) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const grade = (at: number) => [0.1, 0.25, 0.45, 0.8].filter((bound) => at >= bound).length / 4

const SHAPES: readonly Shape[] = [
  { name: "uniform from 0 to 1", mean: 0.5, draw: (random) => random() },
  { name: "grades in five steps from 0 to 1", mean: 0.6, draw: (random) => grade(random()) },
  { name: "F1 scores: 40 % are 1, 20 % are 0, the others anywhere between", mean: 0.6, draw: f1 },
  {
    name: "near the upper end: 90 % between 0.95 and 1, the others anywhere",
    mean: 0.9275,
    draw: (random) => (random() < 0.9 ? 0.95 + 0.05 * random() : random()),
  },
  {
    name: "near the upper end with failures: 95 % between 0.9 and 1, the others 0",
    mean: 0.9025,
    draw: (random) => (random() < 0.95 ? 0.9 + 0.1 * random() : 0),
  },
  {
    name: "near the lower end: 90 % between 0 and 0.05, the others anywhere",
    mean: 0.0725,
    draw: (random) => (random() < 0.9 ? 0.05 * random() : random()),
  },
  {
    name: "close together: 0.8 with a deviation of 0.03",
    mean: 0.8,
    draw: (random) => Math.min(1, Math.max(0, 0.8 + 0.03 * normal(random))),
  },
  { name: "normal amounts", mean: 100, draw: (random) => 100 + 10 * normal(random), isAmount: true },
  { name: "exponential amounts", mean: 1, draw: (random) => -Math.log(1 - random()), isAmount: true },
]

function f1(random: Draw): number {
  const at = random()
  return at < 0.4 ? 1 : at < 0.6 ? 0 : random()
}

function coverage({ name, mean, draw, isAmount = false }: Shape, seed: number): Measurement {
  const shares = SIZES.map((n, at) => {
    const random = seededRandom(seed + at)
    let held = 0
    let found = 0
    for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
      const { interval } = summarize(
        Array.from({ length: n }, () => draw(random)),
        { isAmount },
      )
      if (interval === null) continue
      found++
      if (interval.low <= mean && mean <= interval.high) held++
    }
    return held / found
  })
  return measure({ work: `mean interval, ${name}`, does: name }, shares)
}

/** Perplexities of texts: the length of most is up to twice the median, or half of it. */
function perplexities(spread: number, seed: number): Measurement {
  const shares = SIZES.map((n, at) => {
    const random = seededRandom(seed + at)
    let held = 0
    let found = 0
    for (let simulation = 0; simulation < SIMULATIONS; simulation++) {
      const ratio = createRatio()
      for (let text = 0; text < n; text++) {
        const words = Math.max(1, Math.round(80 * Math.exp(spread * normal(random))))
        ratio.add(words * (3 + 0.6 * normal(random)), words)
      }
      const { interval } = ratio.result()
      if (interval === null) continue
      found++
      if (interval.low <= 3 && 3 <= interval.high) held++
    }
    return held / found
  })
  const does = `perplexity of texts whose lengths have a logarithm with a deviation of ${spread}`
  return measure({ work: `perplexity interval, spread ${spread}`, does }, shares)
}

/** Returns the measurement of the shares of intervals that contain the true value, by number of rows. */
function measure(row: Row, shares: readonly number[]): Measurement {
  return {
    ...row,
    value: shares.map((share) => share.toFixed(3)).join(", "),
    bar: `≥ ${LOWEST} (within ${NOISE.toFixed(3)} by chance)`,
    passed: shares.every((share) => share >= LOWEST - NOISE),
  }
}

export const meanIntervals: GuaranteeSection = {
  title: "Intervals of means",
  method: `How often the interval of 95 % contains the true mean of ${SIZES.join(", ")} rows, in this order, ${formatCount(SIMULATIONS)} simulations each ([metrics.md](metrics.md#intervals)). A small sample
near an end of the scale often lacks the rare values that decide its mean. Its interval allows for them, so that it contains the mean more often than it says.`,
  simulate: async () => [
    ...SHAPES.map((shape, at) => coverage(shape, 81 + 10 * at)),
    perplexities(0.5, 201),
    perplexities(1, 211),
  ],
}
