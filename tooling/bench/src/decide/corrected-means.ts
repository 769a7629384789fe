import { correctMean, type CorrectedMean, type LabelledScore } from "@assay/metrics"
import { atLeast, atMost, formatCount, type Measurement } from "../bench.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"

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
    const judged = `${name} judge`
    return [
      {
        work: `corrected mean, ${judged}`,
        does: `${judged}: how often the interval of 95 % contains the mean of people`,
        value: share.toFixed(4),
        bar: "0.93 to 0.97",
        passed: share >= 0.93 && share <= 0.97,
      },
      atMost(
        {
          work: `corrected mean, ${judged}: width`,
          does: `${judged}: the widest interval, to that of the labels alone`,
        },
        widest,
        1.02,
        `of ${formatCount(SIMULATIONS)}`,
      ),
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
    does: `a judge of sensitivity 0.92 and specificity 0.75, half of the rows good: how many labels without it give as narrow an interval as ${LABELS} with it`,
  }
  return [atLeast(row, sum / runs, 350, `mean of ${formatCount(runs)} simulations`)]
}

export const correctedMeans: GuaranteeSection = {
  title: "Judges corrected by people",
  method: `${LABELS} labels among ${formatCount(ROWS)} rows of which 70 % are good, ${formatCount(SIMULATIONS)} simulations for each judge
([labels.md](labels.md)). The judge that is biased up passes 40 % of the bad rows, the one that is biased down fails 40 % of the good ones,
and the anti-correlated one is wrong in 85 %.`,
  simulate: async () => [...coverage(), ...worth()],
}
