import { correctDifference } from "@assay/metrics"
import { formatCount, forComparison, type Measurement } from "../bench.ts"
import { labelsUntilDecided } from "./corrected-sequences.ts"
import type { GuaranteeSection } from "./guarantee-section.ts"
import { seededRandom } from "./seeded-random.ts"
import { differenceOf, drawRows, type Judge, labelRows, truthOf, type TwoModels } from "./two-judged-models.ts"

interface Setting extends TwoModels {
  readonly name: string
  /** Whether people label the same rows of both models. Default true. */
  readonly areSame?: boolean
}

const GOOD: Judge = [0.95, 0.95]
const FAIR: Judge = [0.92, 0.75]
const RANDOM: Judge = [0.5, 0.5]
const SETTINGS: readonly Setting[] = [
  { name: "a good judge (0.95 and 0.95)", rates: [0.8, 0.7], judges: [GOOD, GOOD], together: 0.6 },
  {
    name: "a judge that passes half of the bad answers of B alone",
    rates: [0.8, 0.7],
    judges: [GOOD, [1, 0.5]],
    together: 0.6,
  },
  { name: "a judge that fails good answers of B", rates: [0.7, 0.7], judges: [FAIR, [0.7, 0.95]], together: 0.6 },
  { name: "a random judge", rates: [0.7, 0.6], judges: [RANDOM, RANDOM], together: 0.6 },
  {
    name: "a fair judge (0.92 and 0.75), labels of other rows on each side",
    rates: [0.7, 0.7],
    judges: [FAIR, FAIR],
    together: 0.6,
    areSame: false,
  },
  {
    name: "rare failures (2 and 4 %), of which the judge misses half",
    rates: [0.98, 0.96],
    judges: [
      [0.99, 0.5],
      [0.99, 0.5],
    ],
    together: 0.3,
  },
  { name: "half of the outputs are the same", rates: [0.8, 0.6], judges: [FAIR, FAIR], together: 0.5, same: 0.5 },
  { name: "rows of 20 documents", rates: [0.75, 0.65], judges: [FAIR, FAIR], together: 0.5, documents: 20 },
]
const SIZES: readonly (readonly [rows: number, labels: number])[] = [
  [10, 10],
  [40, 20],
  [100, 40],
  [200, 100],
  [500, 200],
]
const SIMULATIONS = 1000
const DRAWS = 400
/** Three standard errors. */
const COVERED = 0.95 - 3 * Math.sqrt((0.95 * 0.05) / SIMULATIONS)
const WRONG = 0.025 + 3 * Math.sqrt((0.025 * 0.975) / SIMULATIONS)

function simulate(setting: Setting, [rows, labels]: readonly [number, number], seed: number): readonly Measurement[] {
  const random = seededRandom(seed)
  const truth = truthOf(setting)
  const seen = { intervals: 0, held: 0, passed: 0, failed: 0, wrongHere: 0, width: 0 }
  for (let at = 0; at < SIMULATIONS; at++) {
    const drawn = drawRows(setting, rows, random)
    const pairs = labelRows(drawn, labels, setting.areSame ?? true, random)
    const { interval } = correctDifference(pairs, { range: [0, 1], draws: DRAWS, random })
    if (interval === null) continue
    const here = differenceOf(drawn)
    seen.intervals++
    if (interval.low <= truth && truth <= interval.high) seen.held++
    // The margin lies just beside the truth, so that a verdict is wrong.
    if (interval.low > truth) seen.passed++
    if (interval.high < truth) seen.failed++
    if (interval.low > here || interval.high < here) seen.wrongHere++
    seen.width += interval.high - interval.low
  }
  const setup = `${setting.name}, ${rows} rows, ${labels} labels on each side`
  if (seen.intervals === 0) return []
  const share = (count: number) => count / seen.intervals
  const wrong = Math.max(share(seen.passed), share(seen.failed))
  return [
    {
      work: `corrected comparison: ${setup}`,
      does: `${setup}: how often the interval of 95 % contains the difference that people see`,
      value: `${share(seen.held).toFixed(3)} (${(seen.width / seen.intervals).toFixed(2)} wide)`,
      bar: "≥ 0.95 (within 0.02 by chance)",
      passed: share(seen.held) >= COVERED,
    },
    {
      work: `corrected verdict: ${setup}`,
      does: `${setup}: how often a verdict is wrong with the margin just beside the truth, PASS or FAIL, whichever is more often`,
      value: wrong.toFixed(3),
      bar: "≤ 0.025 (within 0.015 by chance)",
      passed: wrong <= WRONG,
    },
    ...(share(seen.wrongHere) > 0.02
      ? [
          forComparison(
            {
              work: `corrected here: ${setup}`,
              does: `${setup}: how often the interval misses the difference over the rows of the two jobs`,
            },
            share(seen.wrongHere).toFixed(3),
          ),
        ]
      : []),
  ]
}

export const correctedComparisons: GuaranteeSection = {
  title: "Comparisons corrected by people",
  method: `Two models, a judge, and labels of people on both sides ([labels.md](../guides/labels.md#two-models)), ${formatCount(SIMULATIONS)} simulations of each setting. B is worse than A by what the rates of good answers say; models
agree on rows that are hard or easy. The truth is what people would see over all rows like these, and with documents over all documents like these. A verdict is
wrong if it is PASS although people see B worse by more than the margin, or FAIL although they do not.

In the rows about labelling until it is decided, the truth is what people would see over the rows of the two jobs, and nobody looks at rows in vain: labelling ends with the verdict. The
fixed design has no judge: people label both outputs of as many rows as give the paired comparison of their labels a power of 80 %, by the normal formula, if B is as far from the limit as the margin.`,
  simulate: async () => [
    ...SETTINGS.flatMap((setting, index) =>
      SIZES.flatMap((size) => simulate(setting, size, 1000 * (index + 1) + size[0] + size[1])),
    ),
    ...labelsUntilDecided(),
  ],
}
