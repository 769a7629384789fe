import type { Random } from "../create-random.ts"
import { gammaVariate } from "../distributions/gamma-variates.ts"
import { quantileOf } from "../intervals/bootstrap-interval.ts"
import { calibratedMean } from "./calibrated-draws.ts"
import { addSums, type LabelSums, NO_SUMS, sumsOf } from "./label-units.ts"
import type { PairUnit } from "./pair-units.ts"

const MAX_DRAWS = 10_000

const MIN_DRAWS = 2000

/** Random numbers of each draw for what was not seen. */
const UNSEEN = 5

/** Random numbers for one interval: they take about 50 ms. */
const MAX_VARIATES = 600_000

export interface PairCounts {
  readonly rows: number
  readonly differing: number
  /** Rows whose difference is not known, and those of them that have both labels. */
  readonly open: number
  readonly labels: readonly [a: number, b: number]
  readonly complete: number
  /** The lowest and the highest score of the judge on each side. */
  readonly scores: readonly [a: Ends, b: Ends]
  /** The weight of a label that was not seen, for each side. That of a row or a cluster is 1. */
  readonly unseen: readonly [a: number, b: number]
}

export type Ends = readonly [low: number, high: number]

interface Totals {
  readonly rows: number
  readonly differing: number
  readonly known: number
  readonly scores: readonly [a: number, b: number]
  readonly labels: readonly [a: LabelSums, b: LabelSums]
}

export const NOTHING: Totals = { rows: 0, differing: 0, known: 0, scores: [0, 0], labels: [NO_SUMS, NO_SUMS] }

export function addUnit(total: Totals, unit: Totals, times: number): Totals {
  return {
    rows: total.rows + times * unit.rows,
    differing: total.differing + times * unit.differing,
    known: total.known + times * unit.known,
    scores: [total.scores[0] + times * unit.scores[0], total.scores[1] + times * unit.scores[1]],
    labels: [addSums(total.labels[0], unit.labels[0], times), addSums(total.labels[1], unit.labels[1], times)],
  }
}

/** Returns the difference over all rows: of those for which it is known, and of the others by the judge and the labels. */
export function differenceOf({ rows, differing, known, scores, labels }: Totals): number {
  const meanOf = (side: 0 | 1) => calibratedMean(labels[side], scores[side] / differing)
  return (known + differing * (meanOf(1) - meanOf(0))) / rows
}

interface DrawnDifferences {
  readonly units: readonly PairUnit[]
  readonly counts: PairCounts
  readonly range: Ends
  readonly draws: number | undefined
  readonly random: Random
}

export function drawDifferences({ units, counts, range, draws: asked, random }: DrawnDifferences, tail: number) {
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
const NUMBERS = 15

function numbersOf({ rows, differing, known, scores, labels }: Totals): readonly number[] {
  return [rows, differing, known, ...scores, ...labels[0], ...labels[1]]
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
  const labels = [from(5), from(10)] as const
  return { rows: number(0), differing: number(1), known: number(2), scores: [number(3), number(4)], labels }
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
