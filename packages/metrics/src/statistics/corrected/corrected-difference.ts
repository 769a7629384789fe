import { checkArgument, checkShare } from "../check-argument.ts"
import { createRandom, type Random } from "../create-random.ts"
import { gammaVariate } from "../distributions/gamma-variates.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { comparePaired } from "../significance/compare-paired.ts"
import { calibratedMean } from "./calibrated-draws.ts"
import { addSums, type LabelSums, NO_SUMS, sumsOf } from "./label-units.ts"
import { MIN_LABELS } from "./labels-needed.ts"
import { groupPairs, type JudgedPair, type PairUnit, type PairWeight } from "./pair-units.ts"

export interface CorrectDifferenceOptions extends IntervalOptions {
  /** The lowest and the highest label that is possible. */
  readonly range: readonly [low: number, high: number]
  /** Random draws for the interval. Default: 2,000 to 10,000, fewer for more rows that differ. */
  readonly draws?: number
  /** The source of the draws. Default: a generator with a fixed seed, so that equal labels give equal intervals. */
  readonly random?: Random
}

export interface CorrectedDifference {
  /** B minus A, as people would see it. Null if a side has no label and the outputs differ. */
  readonly difference: number | null
  /** Null for fewer than 10 labels on a side, unless every row that differs has both labels. */
  readonly interval: Interval | null
  /** Rows, those whose outputs differ, and labels of rows whose outputs differ. */
  readonly rows: number
  readonly differing: number
  readonly labels: readonly [a: number, b: number]
  /** Whether people have labelled all that differs, so that the judge's scores do not count. */
  readonly isComplete: boolean
}

const MAX_DRAWS = 10_000
const MIN_DRAWS = 2000
/** Random numbers of each draw for what was not seen. */
const UNSEEN = 5
/** Random numbers for one interval: they take about 50 ms. */
const MAX_VARIATES = 600_000

/**
 * Returns the difference that people would find between two models if they labelled all rows, from a judge's scores of all rows and a few labels. It is
 * the difference for all rows like these, as in {@link comparePaired}.
 *
 * The estimate is the difference of {@link calibratedMean} on both sides, so that a judge may be wrong about one model in another way than about the other. With
 * labels of both outputs of each drawn row, it is prediction-powered inference for a difference of means with a fitted weight on each side (Angelopoulos,
 * Bates, Fannjiang, Jordan and Zrnic, "Prediction-powered inference", Science 382, 2023; Angelopoulos, Duchi and Zrnic, "PPI++", 2024). Rows with the
 * same output on both sides do not differ, whatever the judge says about them, and need no label.
 *
 * The interval is the Bayesian bootstrap of {@link drawBounds} over rows: a row gets one weight for both outputs, so that pairs stay pairs, and a
 * cluster gets one for all of its rows. A cluster counts as much as any other, whatever its number of rows. Labels that were not seen are worst for the end that is drawn: at its upper end, the highest one for an output of B
 * and the lowest one for an output of A. If people have labelled all rows that differ, it is the interval of {@link comparePaired}.
 *
 * @param pairs are iterated several times
 * @throws `invalid_request` for a label outside of the range
 */
export function correctDifference(
  pairs: Iterable<JudgedPair>,
  { confidence = 0.95, range, draws, random = createRandom(0) }: CorrectDifferenceOptions,
): CorrectedDifference {
  checkShare("confidence", confidence)
  const weightOf = weighClusters(pairs)
  const counts = countPairs(pairs, range, weightOf)
  const { rows, differing, labels, complete } = counts
  const isComplete = complete === differing
  if (isComplete) return { ...compareLabels(pairs, confidence, range), rows, differing, labels, isComplete }
  if (labels.some((count) => count === 0))
    return { difference: null, interval: null, rows, differing, labels, isComplete }
  const units = groupPairs(pairs, weightOf)
  const totals = units.reduce((sum, unit) => addUnit(sum, unit, unit.shape), NOTHING)
  const span = range[1] - range[0]
  const within = (value: number) => Math.min(span, Math.max(-span, value))
  const difference = within(differenceOf(totals))
  if (labels.some((count) => count < MIN_LABELS))
    return { difference, interval: null, rows, differing, labels, isComplete }
  const bounds = drawDifferences({ units, counts, range, draws, random }, (1 - confidence) / 2)
  const interval: Interval = {
    low: within(Math.min(difference, bounds.low)),
    high: within(Math.max(difference, bounds.high)),
    confidence,
    method: "bayesian-bootstrap",
  }
  return { difference, interval, rows, differing, labels, isComplete }
}

interface PairCounts {
  readonly rows: number
  readonly differing: number
  readonly labels: readonly [a: number, b: number]
  /** Rows that differ and have both labels. */
  readonly complete: number
  /** The lowest and the highest score of the judge on each side. */
  readonly scores: readonly [a: Ends, b: Ends]
  /** The weight of a label that was not seen, for each side. That of a row or a cluster is 1. */
  readonly unseen: readonly [a: number, b: number]
}

type Ends = readonly [low: number, high: number]

/** Each row has a weight of 1, and so has each cluster, as in `comparePaired`. */
function weighClusters(pairs: Iterable<JudgedPair>): PairWeight {
  const sizes = new Map<number, number>()
  for (const { cluster } of pairs) if (cluster !== undefined) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  return ({ cluster }) => (cluster === undefined ? 1 : 1 / (sizes.get(cluster) ?? 1))
}

function countPairs(pairs: Iterable<JudgedPair>, range: Ends, weightOf: PairWeight): PairCounts {
  const sides = [createSide(range), createSide(range)] as const
  let rows = 0
  let differing = 0
  let complete = 0
  for (const pair of pairs) {
    const { scores, labels, isSame, cluster } = pair
    rows++
    if (isSame) continue
    differing++
    if (labels[0] !== undefined && labels[1] !== undefined) complete++
    for (const at of [0, 1] as const) sides[at].add(scores[at], labels[at], { cluster, weight: weightOf(pair) })
  }
  const [a, b] = sides
  return {
    rows,
    differing,
    complete,
    labels: [a.count(), b.count()],
    scores: [a.ends(), b.ends()],
    unseen: [a.unseen(), b.unseen()],
  }
}

interface WeightedRow {
  readonly cluster: number | undefined
  readonly weight: number
}

function createSide(range: Ends) {
  const clusters = new Set<number>()
  let count = 0
  let largest = 0
  let low = Infinity
  let high = -Infinity
  return {
    add(score: number, given: JudgedPair["labels"][0], { cluster, weight }: WeightedRow): void {
      low = Math.min(low, score)
      high = Math.max(high, score)
      if (given === undefined) return
      const { label, probability } = given
      checkArgument(label >= range[0] && label <= range[1], "label", label, `a number from ${range[0]} to ${range[1]}`)
      checkArgument(probability > 0 && probability < Infinity, "probability", probability, "a number above 0")
      count++
      largest = Math.max(largest, weight / probability)
      if (cluster !== undefined) clusters.add(cluster)
    },
    count: () => count,
    ends: (): Ends => [low, high],
    /** As in `correctMean`: the label is one of those that count most, and a cluster has half of its labels at each end of the scores. */
    unseen: () => largest * Math.max(1, clusters.size === 0 ? 1 : count / clusters.size / 2),
  }
}

interface Totals {
  readonly rows: number
  readonly differing: number
  readonly scores: readonly [a: number, b: number]
  readonly labels: readonly [a: LabelSums, b: LabelSums]
}

const NOTHING: Totals = { rows: 0, differing: 0, scores: [0, 0], labels: [NO_SUMS, NO_SUMS] }

function addUnit(total: Totals, unit: Totals, times: number): Totals {
  return {
    rows: total.rows + times * unit.rows,
    differing: total.differing + times * unit.differing,
    scores: [total.scores[0] + times * unit.scores[0], total.scores[1] + times * unit.scores[1]],
    labels: [addSums(total.labels[0], unit.labels[0], times), addSums(total.labels[1], unit.labels[1], times)],
  }
}

/** Returns the difference over all rows: that of the rows whose outputs differ, times their share. */
function differenceOf({ rows, differing, scores, labels }: Totals): number {
  const meanOf = (side: 0 | 1) => calibratedMean(labels[side], scores[side] / differing)
  return (differing / rows) * (meanOf(1) - meanOf(0))
}

interface DrawnDifferences {
  readonly units: readonly PairUnit[]
  readonly counts: PairCounts
  readonly range: Ends
  readonly draws: number | undefined
  readonly random: Random
}

function drawDifferences({ units, counts, range, draws: asked, random }: DrawnDifferences, tail: number) {
  const affordable = Math.floor(MAX_VARIATES / (units.length + UNSEEN))
  const draws = asked ?? Math.min(MAX_DRAWS, Math.max(MIN_DRAWS, affordable))
  const low = new Float64Array(draws)
  const high = new Float64Array(draws)
  const shapes = units.map(({ shape }) => shape)
  const numbers = Float64Array.from(units.flatMap(numbersOf))
  for (let at = 0; at < draws; at++) {
    const sum = drawTotals(shapes, numbers, random)
    const weights = Array.from({ length: UNSEEN }, () => gammaVariate(1, random))
    low[at] = worstDifference(sum, counts, { weights, ends: [range[1], range[0]] })
    high[at] = worstDifference(sum, counts, { weights, ends: range })
  }
  low.sort()
  high.sort()
  return { low: quantileOf(low, tail), high: quantileOf(high, 1 - tail) }
}

/** The numbers of a unit that are added up. */
const NUMBERS = 14

function numbersOf({ rows, differing, scores, labels }: Totals): readonly number[] {
  return [rows, differing, ...scores, ...labels[0], ...labels[1]]
}

/** Gives each unit a random weight, and returns the weighted sums. */
function drawTotals(shapes: readonly number[], numbers: Float64Array, random: Random): Totals {
  const sums = new Float64Array(NUMBERS)
  for (let unit = 0; unit < shapes.length; unit++) {
    const times = gammaVariate(shapes[unit] ?? 1, random)
    for (let at = 0; at < NUMBERS; at++) sums[at] = (sums[at] ?? 0) + times * (numbers[unit * NUMBERS + at] ?? 0)
  }
  const number = (at: number) => sums[at] ?? 0
  const from = (at: number): LabelSums => [number(at), number(at + 1), number(at + 2), number(at + 3), number(at + 4)]
  return { rows: number(0), differing: number(1), scores: [number(2), number(3)], labels: [from(4), from(9)] }
}

interface Unseen {
  /** Of a label at the lowest and at the highest score of A, at those of B, and of a row. */
  readonly weights: readonly number[]
  /** The labels that were not seen. */
  readonly ends: readonly [a: number, b: number]
}

/** Returns the difference with labels that were not seen: one at each end of the judge's scores on each side, and a row. */
function worstDifference(sum: Totals, { scores, unseen }: PairCounts, { weights, ends }: Unseen): number {
  const [atLowA = 0, atHighA = 0, atLowB = 0, atHighB = 0, row = 0] = weights
  const withUnseen = (side: 0 | 1, atLow: number, atHigh: number): LabelSums => {
    const lowest = sumsOf(unseen[side] * atLow, scores[side][0], ends[side])
    const highest = sumsOf(unseen[side] * atHigh, scores[side][1], ends[side])
    return addSums(addSums(sum.labels[side], lowest), highest)
  }
  const labels = [withUnseen(0, atLowA, atHighA), withUnseen(1, atLowB, atHighB)] as const
  const found = differenceOf({ ...sum, labels }) * sum.rows
  return (found + row * (ends[1] - ends[0])) / (sum.rows + row)
}

/** Compares the labels alone: those of every row that differs are known. */
function compareLabels(pairs: Iterable<JudgedPair>, confidence: number, range: Ends) {
  const a: number[] = []
  const b: number[] = []
  const clusters: number[] = []
  for (const { labels, isSame, cluster } of pairs) {
    // Rows with the same output have the same label, which need not be known.
    a.push(isSame ? range[0] : (labels[0]?.label ?? range[0]))
    b.push(isSame ? range[0] : (labels[1]?.label ?? range[0]))
    if (cluster !== undefined) clusters.push(cluster)
  }
  const found = comparePaired(a, b, { confidence, range, ...(clusters.length === 0 ? {} : { clusters }) })
  return { difference: found?.difference ?? null, interval: found?.interval ?? null }
}
