import { correctMean, type CorrectedMean, type LabelledScore } from "@assay/metrics"
import { atLeast, atMost, type Bench, type Measurement } from "../bench.ts"
import { certificates } from "../decide/certificates.ts"
import { earlyGates } from "../decide/early-gates.ts"
import { seededRandom, type Draw } from "../decide/seeded-random.ts"

type Judge = (label: number, draw: Draw) => number

const chance = (share: number, draw: Draw) => (draw() < share ? 1 : 0)
const verdicts = (sensitivity: number, specificity: number): Judge => {
  return (label, draw) => (label === 1 ? chance(sensitivity, draw) : 1 - chance(specificity, draw))
}
const JUDGES: Readonly<Record<string, Judge>> = {
  perfect: (label) => label,
  "biased up": verdicts(1, 0.6),
  "biased down": verdicts(0.6, 1),
  random: verdicts(0.5, 0.5),
  "anti-correlated": verdicts(0.15, 0.15),
  constant: () => 1,
}
const [ROWS, LABELS, RATE, SIMULATIONS] = [5000, 200, 0.7, 10_000]

/** Draws rows of which the first ones are labelled. */
function draw(judge: Judge, rate: number, random: Draw): CorrectedMean {
  const labelled: LabelledScore[] = []
  let sum = 0
  for (let at = 0; at < ROWS; at++) {
    const label = chance(rate, random)
    const score = judge(label, random)
    sum += score
    if (at < LABELS) labelled.push({ score, label })
  }
  return correctMean(labelled, { rows: ROWS, mean: sum / ROWS })
}

const widthOf = (interval: CorrectedMean["interval"]) => (interval === null ? Number.NaN : interval.high - interval.low)

function coverage(): readonly Measurement[] {
  return Object.entries(JUDGES).flatMap(([name, judge], place) => {
    const random = seededRandom(place + 1)
    let [held, found, widest] = [0, 0, 0]
    for (let at = 0; at < SIMULATIONS; at++) {
      const { interval, peopleInterval } = draw(judge, RATE, random)
      if (interval === null) continue
      found++
      if (interval.low <= RATE && RATE <= interval.high) held++
      widest = Math.max(widest, widthOf(interval) / widthOf(peopleInterval))
    }
    const share = held / found
    const row = {
      work: `corrected mean, ${name} judge`,
      does: `${SIMULATIONS} simulations of ${LABELS} labels among ${ROWS} rows: how often the interval of 95 % contains the mean of people.`,
    }
    return [
      { ...row, value: share.toFixed(4), bar: "0.93 to 0.97", passed: share >= 0.93 && share <= 0.97 },
      atMost({ ...row, work: `${row.work}: width` }, widest, 1.02, "the widest, to that of people alone"),
    ]
  })
}

function worth(): readonly Measurement[] {
  const random = seededRandom(7)
  const runs = 1000
  let sum = 0
  for (let at = 0; at < runs; at++) sum += draw(verdicts(0.92, 0.75), 0.5, random).worth ?? 0
  const row = {
    work: "labels' worth",
    does: "200 labels with a judge of sensitivity 0.92 and specificity 0.75: how many without it give as narrow an interval.",
  }
  return [atLeast(row, sum / runs, 350, `mean of ${runs} simulations`)]
}

/** Simulates what decisions promise. The seeds are fixed, so every run has the same numbers. */
export const decide: Bench = {
  name: "decide",
  async run({ part }) {
    await part("corrected means", async () => coverage())
    await part("labels' worth", async () => worth())
    await part("early gates", async () => earlyGates())
    await part("certificates", certificates)
  },
}
