import { correctMean, type CorrectedMean, type LabelledScore } from "@assay/metrics"
import { atLeast, forComparison, formatCount, type Measurement } from "../bench.ts"
import { coverageOfClusters } from "./clustered-labels.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

type Judge = (label: number, draw: Draw) => number

interface Setting {
  readonly name: string
  readonly rate: number
  readonly judge: Judge
}

const chance = (share: number, draw: Draw) => (draw() < share ? 1 : 0)
const verdicts = (sensitivity: number, specificity: number): Judge => {
  return (label, draw) => (label === 1 ? chance(sensitivity, draw) : 1 - chance(specificity, draw))
}
const SETTINGS: readonly Setting[] = [
  { name: "79 % good, a judge that passes a tenth of the bad rows", rate: 0.79, judge: verdicts(1, 0.9) },
  { name: "80 % good, a good judge (0.97 and 0.97)", rate: 0.8, judge: verdicts(0.97, 0.97) },
  { name: "half good, a fair judge (0.92 and 0.75)", rate: 0.5, judge: verdicts(0.92, 0.75) },
  { name: "70 % good, a perfect judge", rate: 0.7, judge: (label) => label },
  { name: "70 % good, a random judge", rate: 0.7, judge: verdicts(0.5, 0.5) },
  { name: "70 % good, a constant judge", rate: 0.7, judge: () => 1 },
  { name: "70 % good, an anti-correlated judge", rate: 0.7, judge: verdicts(0.15, 0.15) },
  { name: "98 % good, a judge that misses half of the bad rows", rate: 0.98, judge: verdicts(0.99, 0.5) },
]
const LABELS = [10, 30, 60, 100, 200]
const ROWS = 2000
const SIMULATIONS = 1000
const DRAWS = 1000
/** Three standard errors of a share of 0.95. */
const NOISE = 3 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)

/** Draws rows of which the first ones are labelled. */
function draw({ judge, rate }: Setting, labels: number, random: Draw): CorrectedMean & { readonly truth: number } {
  const labelled: LabelledScore[] = []
  let sum = 0
  let good = 0
  for (let at = 0; at < ROWS; at++) {
    const label = chance(rate, random)
    const score = judge(label, random)
    sum += score
    good += label
    if (at < labels) labelled.push({ score, label })
  }
  return {
    ...correctMean(labelled, { rows: ROWS, mean: sum / ROWS }, { draws: DRAWS, random: random }),
    truth: good / ROWS,
  }
}

const widthOf = (interval: CorrectedMean["interval"]) => (interval === null ? Number.NaN : interval.high - interval.low)

function simulate(setting: Setting, labels: number, seed: number): readonly Measurement[] {
  const random = seededRandom(seed)
  const seen = { held: 0, passed: 0, width: 0, alone: 0 }
  for (let at = 0; at < SIMULATIONS; at++) {
    const { interval, peopleInterval, truth } = draw(setting, labels, random)
    if (interval === null) continue
    if (interval.low <= truth && truth <= interval.high) seen.held++
    // The limit lies just above the truth, so that PASS is wrong.
    if (interval.low > truth) seen.passed++
    seen.width += widthOf(interval)
    seen.alone += widthOf(peopleInterval)
  }
  const setup = `${setting.name}, ${labels} labels`
  const share = seen.held / SIMULATIONS
  const passed = seen.passed / SIMULATIONS
  return [
    {
      work: `corrected mean: ${setup}`,
      does: `${setup}: how often the interval of 95 % contains the mean of people`,
      value: share.toFixed(3),
      bar: "≥ 0.95 (within 0.02 by chance)",
      passed: share >= 0.95 - NOISE,
    },
    {
      work: `corrected gate: ${setup}`,
      does: `${setup}: how often a gate just above the truth passes`,
      value: passed.toFixed(3),
      bar: "≤ 0.05",
      passed: passed <= 0.05,
    },
    forComparison(
      { work: `corrected width: ${setup}`, does: `${setup}: the mean width, to that of the labels alone` },
      `${(seen.width / seen.alone).toFixed(2)} (${(seen.width / SIMULATIONS).toFixed(3)} wide)`,
    ),
  ]
}

function worth(): readonly Measurement[] {
  const random = seededRandom(7)
  const [runs, labels] = [300, 200]
  const fair = { name: "", rate: 0.5, judge: verdicts(0.92, 0.75) }
  let sum = 0
  for (let at = 0; at < runs; at++) sum += draw(fair, labels, random).worth ?? 0
  const row = {
    work: "labels' worth",
    does: `a judge of sensitivity 0.92 and specificity 0.75, half of the rows good: how many labels without it give as narrow an interval as ${labels} with it`,
  }
  return [atLeast(row, sum / runs, 300, `mean of ${formatCount(runs)} simulations`)]
}

export const correctedMeans: GuaranteeSection = {
  title: "Judges corrected by people",
  method: `Labels drawn at random among ${formatCount(ROWS)} rows, ${formatCount(SIMULATIONS)} simulations of each setting ([labels.md](../guides/labels.md)). A judge is described by how often it
passes a good row and how often it fails a bad one. The truth is what people would find over all rows; with documents, it is the mean of all documents like these.`,
  simulate: async () => [
    ...SETTINGS.flatMap((setting, index) =>
      LABELS.flatMap((labels) => simulate(setting, labels, 100 * (index + 1) + labels)),
    ),
    ...coverageOfClusters(LABELS, verdicts(0.92, 0.75)),
    ...worth(),
  ],
}
