import { drawLikelihood, sequentialDifference } from "@assay/metrics"
import { forComparison, formatCount, type Measurement } from "../bench.ts"
import { seededRandom, type Draw } from "./seeded-random.ts"
import { differenceOf, drawRows, type Judge, type JudgedRow, type TwoModels } from "./two-judged-models.ts"

const GOOD: Judge = [0.95, 0.95]
const FAIR: Judge = [0.92, 0.75]
const RANDOM: Judge = [0.5, 0.5]
const LENIENT: Judge = [1, 0.5]
const SIMULATIONS = 1000
const WRONG = 0.025 + 3 * Math.sqrt((0.025 * 0.975) / SIMULATIONS)
/** The normal quantiles of a two-sided test at 5 % and of a power of 80 %. */
const QUANTILES = 1.959964 + 0.841621

interface Design {
  readonly name: string
  readonly rows: number
  readonly margin: number
  readonly judges: readonly [Judge, Judge]
  /** Whether at most 40 % of the labels of a fixed design are promised. */
  readonly isPromised?: boolean
}

const BOTH = (judge: Judge) => [judge, judge] as const
const DESIGNS: readonly Design[] = [
  { name: "a good judge (0.95 and 0.95), 500 rows", rows: 500, margin: 0.1, judges: BOTH(GOOD), isPromised: true },
  { name: "a good judge (0.95 and 0.95), 500 rows", rows: 500, margin: 0.05, judges: BOTH(GOOD), isPromised: true },
  { name: "a good judge (0.95 and 0.95), 200 rows", rows: 200, margin: 0.1, judges: BOTH(GOOD), isPromised: true },
  { name: "a fair judge (0.92 and 0.75), 500 rows", rows: 500, margin: 0.1, judges: BOTH(FAIR) },
  {
    name: "a judge that passes half of the bad answers of B alone, 500 rows",
    rows: 500,
    margin: 0.1,
    judges: [GOOD, LENIENT],
  },
  { name: "a random judge, 500 rows", rows: 500, margin: 0.1, judges: BOTH(RANDOM) },
]

/** Puts rows in the order of a draw, as `label next --until-decided` does. */
function inOrder(rows: readonly JudgedRow[], draw: Draw) {
  const known = rows.map(({ people, scores }) => {
    const predicted = scores[1] - scores[0]
    const likelihood = drawLikelihood(predicted, 1)
    return {
      difference: people[1] - people[0],
      predicted,
      share: 1 / rows.length,
      likelihood,
      key: -Math.log(1 - draw()) / likelihood,
    }
  })
  const sum = (valueOf: (row: (typeof known)[number]) => number) =>
    known.reduce((total, row) => total + row.share * valueOf(row), 0)
  const totals = {
    shares: 1,
    predicted: sum((row) => row.predicted),
    likelihoods: sum((row) => row.likelihood),
    rows: rows.length,
  }
  return { order: known.toSorted((a, b) => a.key - b.key), totals }
}

function modelsOf({ judges }: Design, effect: number): TwoModels {
  return { rates: effect < 0 ? [0.8, 0.8 + effect] : [0.7, 0.7 + effect], judges, together: 0.6 }
}

/** Returns the labels of a fixed design on each side: the rows times the variance of differences in the eyes of people. */
function fixedLabels(rows: readonly JudgedRow[], margin: number): number {
  const mean = differenceOf(rows)
  const variance = rows.reduce((sum, { people }) => sum + (people[1] - people[0] - mean) ** 2, 0) / rows.length
  return (QUANTILES ** 2 * variance) / margin ** 2
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Counts wrong verdicts with the limit at the truth, where it is hardest. */
function countWrong(design: Design, seed: number): Measurement {
  const draw = seededRandom(seed)
  const wrong = { PASS: 0, FAIL: 0 }
  for (let at = 0; at < SIMULATIONS; at++) {
    const rows = drawRows(modelsOf(design, -design.margin), design.rows, draw)
    const { order, totals } = inOrder(rows, draw)
    const truth = differenceOf(rows)
    // The last rows would say that the truth is on the other side of the limit by almost nothing.
    const drawn = order.slice(0, Math.floor(0.9 * order.length))
    const asked = { totals, span: 1 }
    if (truth < 0 && sequentialDifference(drawn, { ...asked, margin: -truth - 1e-9 }).verdict === "PASS") wrong.PASS++
    if (truth < 0 && sequentialDifference(drawn, { ...asked, margin: -truth + 1e-9 }).verdict === "FAIL") wrong.FAIL++
  }
  const share = Math.max(wrong.PASS, wrong.FAIL) / SIMULATIONS
  return {
    work: `until decided, wrong: ${design.name}, margin ${design.margin}`,
    does: `Labelling until it is decided, ${design.name}, margin ${design.margin}: how often a verdict is wrong with the limit just beside the truth, if it is looked at after each of nine tenths of the rows`,
    value: share.toFixed(3),
    bar: "≤ 0.025 (within 0.015 by chance)",
    passed: share <= WRONG,
  }
}

/** Counts the labels until it is decided, for an effect of twice the margin. */
function countLabels(design: Design, sign: 1 | -1, seed: number): Measurement {
  const { name, rows: size, margin, isPromised = false } = design
  const draw = seededRandom(seed)
  const used: number[] = []
  const fixed: number[] = []
  let wrong = 0
  for (let at = 0; at < SIMULATIONS; at++) {
    const rows = drawRows(modelsOf(design, sign * 2 * margin), size, draw)
    const { order, totals } = inOrder(rows, draw)
    const { decidedAfter, verdict } = sequentialDifference(order, { totals, span: 1, margin })
    used.push(decidedAfter ?? size)
    fixed.push(fixedLabels(rows, margin))
    if (verdict !== (differenceOf(rows) >= -margin ? "PASS" : "FAIL")) wrong++
  }
  const planned = fixed.reduce((sum, one) => sum + one, 0) / fixed.length
  const ratio = medianOf(used) / planned
  const setup = `Labelling until it is decided, ${name}, margin ${margin}, B is ${sign < 0 ? "worse" : "better"} by twice the margin`
  const row = {
    work: `until decided, labels: ${name}, margin ${margin}, ${sign < 0 ? "worse" : "better"}`,
    does: `${setup}: the median number of labels, to that of the fixed design`,
  }
  const seen = `${ratio.toFixed(2)} (${formatCount(medianOf(used))} on each side of ${formatCount(Math.round(planned))}; ${wrong} of ${formatCount(SIMULATIONS)} wrong)`
  return isPromised ? { ...row, value: seen, bar: "≤ 0.40", passed: ratio <= 0.4 } : forComparison(row, seen)
}

/** Simulates labelling that ends with the verdict. */
export function labelsUntilDecided(): readonly Measurement[] {
  return DESIGNS.flatMap((design, index) => [
    countWrong(design, 7000 + index),
    countLabels(design, -1, 7100 + index),
    countLabels(design, 1, 7200 + index),
  ])
}
