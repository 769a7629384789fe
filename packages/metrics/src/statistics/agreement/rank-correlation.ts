import { checkArgument } from "../check-argument.ts"
import { studentQuantile } from "../distributions/beta-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"

export interface RankCorrelation {
  readonly rows: number
  /** From -1 to 1; null if a list has one value only, or fewer than five rows. */
  readonly correlation: number | null
  readonly interval: Interval | null
}

export interface RankCorrelationOptions extends IntervalOptions {
  /** Numbers whose own relation to both lists is taken out. */
  readonly given?: readonly number[]
}

const MIN_ROWS = 5

/**
 * Measures how far two lists of numbers rise together: Spearman's correlation of ranks, with middle ranks for equal values, or the partial one if `given` has
 * a third list.
 *
 * The interval is Fisher's z with the larger of two standard errors, that of Bonett and Wright (Psychometrika 65 (2000), 23–28) and the jackknife's, and
 * a quantile of Student's t. The coverage is simulated in `npm run bench -- decide`. Throws `invalid_request` for lists of different lengths.
 */
export function rankCorrelation(
  a: readonly number[],
  b: readonly number[],
  { given, confidence = 0.95 }: RankCorrelationOptions = {},
): RankCorrelation {
  checkArgument(a.length === b.length, "b", b.length, `as many numbers as there are in a: ${a.length}`)
  checkArgument(given === undefined || given.length === a.length, "given", given?.length, `${a.length} numbers`)
  const rows = a.length
  // A list of one value says nothing, so that there is nothing to take out.
  const third = given !== undefined && new Set(given).size > 1 ? middleRanks(given) : undefined
  const lists = [middleRanks(a), middleRanks(b), ...(third === undefined ? [] : [third])]
  const correlationOf = createCorrelation(lists)
  const correlation = correlationOf(undefined)
  if (rows < MIN_ROWS || correlation === null) return { rows, correlation: null, interval: null }
  const z = fisherOf(correlation)
  const known = lists.length - 2
  const left = Array.from({ length: rows }, (_, at) => fisherOf(correlationOf(at) ?? 0))
  const mean = left.reduce((sum, one) => sum + one, 0) / rows
  const jackknife = Math.sqrt(((rows - 1) / rows) * left.reduce((sum, one) => sum + (one - mean) ** 2, 0))
  const ofRanks = Math.sqrt((1 + correlation ** 2 / 2) / (rows - 3 - known))
  const reach = studentQuantile((1 + confidence) / 2, rows - 2 - known) * Math.max(jackknife, ofRanks)
  const interval: Interval = { low: Math.tanh(z - reach), high: Math.tanh(z + reach), confidence, method: "fisher-z" }
  return { rows, correlation, interval }
}

/** An exact relation would have no z. */
const LARGEST = 0.9999

function fisherOf(correlation: number): number {
  return Math.atanh(Math.min(LARGEST, Math.max(-LARGEST, correlation)))
}

/** Returns ranks from 0 around a mean of 0; equal values share the middle of theirs. */
function middleRanks(values: readonly number[]): Float64Array {
  const order = values.map((value, at) => ({ value, at })).toSorted((one, other) => one.value - other.value)
  const ranks = new Float64Array(values.length)
  const middle = (values.length - 1) / 2
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && order[to]?.value === order[from]?.value) to++
    for (let at = from; at < to; at++) ranks[order[at]?.at ?? 0] = (from + to - 1) / 2 - middle
    from = to
  }
  return ranks
}

/** Returns a function that computes the correlation of all rows, or of all but one: each takes the time of one row. */
function createCorrelation(lists: readonly Float64Array[]): (without: number | undefined) => number | null {
  const [a = new Float64Array(), b = a, third] = lists
  const ofFirst = createPairCorrelation(a, b)
  if (third === undefined) return ofFirst
  const [ofA, ofB] = [createPairCorrelation(a, third), createPairCorrelation(b, third)]
  return (without) => {
    const [own, one, other] = [ofFirst(without), ofA(without), ofB(without)]
    if (own === null || one === null || other === null) return null
    const left = (1 - one ** 2) * (1 - other ** 2)
    return left > ROUNDING ? Math.max(-1, Math.min(1, (own - one * other) / Math.sqrt(left))) : null
  }
}

const ROUNDING = 1e-9

function createPairCorrelation(a: Float64Array, b: Float64Array): (without: number | undefined) => number | null {
  const product = (one: Float64Array, other: Float64Array) =>
    one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  const squares = [product(a, a), product(b, b), product(a, b)] as const
  return (without) => {
    const [left, right] = without === undefined ? [0, 0] : [a[without] ?? 0, b[without] ?? 0]
    const rows = a.length - (without === undefined ? 0 : 1)
    // Sums of all ranks are 0, so that those without a row are its negatives.
    const [ofA, ofB, both] = [
      squares[0] - left ** 2 - left ** 2 / rows,
      squares[1] - right ** 2 - right ** 2 / rows,
      squares[2] - left * right - (left * right) / rows,
    ]
    return ofA > ROUNDING && ofB > ROUNDING ? both / Math.sqrt(ofA * ofB) : null
  }
}
