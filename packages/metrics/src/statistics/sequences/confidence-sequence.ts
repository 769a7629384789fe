import { checkArgument, checkShare, impossible } from "../check-argument.ts"
import { createExactSum, exactSumOf } from "../exact/exact-sum.ts"
import type { Interval } from "../intervals/interval.ts"
import { createBoundTest, type SequenceOptions } from "./bound-test.ts"

export interface ConfidenceSequenceOptions {
  /** The number of rows of the whole set. Default: unlimited, so that the mean is that of all rows like these. */
  readonly population?: number
  /** The probability that any of the intervals misses the mean of the set. Default 0.05. */
  readonly alpha?: number
  /** The lowest and the highest value that a row can have. Default 0 and 1. */
  readonly range?: readonly [low: number, high: number]
}

/** Intervals of the mean of a set whose rows come in random order. They are all valid together, at any number of looks. */
export interface ConfidenceSequence {
  /** Takes the value of the next row; undefined if it has none. Then the mean is that of the other rows. Throws `invalid_request` outside the range. */
  add(value: number | undefined): void
  /** Number of values so far. */
  readonly count: number
  /** Returns the mean of the values so far; NaN without values. */
  mean(): number
  /** Returns an interval of the rows so far, without up to a fifth of them, and of at most 100,000. */
  interval(): Interval
  /** Narrows the interval to what the rows so far allow, if they are at most 100,000. All rows of the set make it a point. */
  narrow(): void
}

/** An interval is found for 32 rows, and each time that the number of rows has grown by this factor. */
const GROWTH = 1.25
const FIRST_LOOK = 32
/** With more rows, an interval takes too long to be found while rows come in. */
const LAST_LOOK = 100_000
/** Number of halvings that find an end of an interval. */
const HALVINGS = 10

/**
 * Creates the intervals of a mean while rows are drawn without replacement. With a probability of at least 1 − `alpha` all of them
 * contain the mean of the whole set, so that the sampling may be ended by a look at them. An interval contains the means that
 * {@link createBoundTest} does not reject, and lies inside all earlier ones.
 *
 * To find an interval takes twenty passes over the values.
 */
export function createConfidenceSequence({
  population = UNLIMITED,
  alpha = 0.05,
  range = [0, 1],
}: ConfidenceSequenceOptions): ConfidenceSequence {
  checkArgument(Number.isSafeInteger(population) && population > 0, "population", population, "an integer above 0")
  checkShare("alpha", alpha)
  const [lowest, highest] = range
  checkArgument(lowest < highest, "range", `${lowest} to ${highest}`, "a lower and a higher number")
  const span = highest - lowest
  const options: SequenceOptions = { population, alpha }
  let values = new Float64Array(Math.min(population, 1024))
  let rows = 0
  let count = 0
  const sum = createExactSum()
  let held: Ends = { low: 0, high: 1 }
  let nextLook = FIRST_LOOK
  let isWhole = false

  const look = (rows: number): void => {
    held = narrowed(held, values.subarray(0, rows), options)
  }
  /** Finds the intervals that are due. They do not depend on the time of the request. */
  const catchUp = (): void => {
    for (; nextLook <= rows && nextLook <= LAST_LOOK; nextLook = Math.ceil(nextLook * GROWTH)) look(nextLook)
  }
  return {
    add(value) {
      if (rows >= population) throw impossible("population", population, "at least the number of rows")
      if (value !== undefined && !(value >= lowest && value <= highest)) {
        throw impossible("value", value, `a number from ${lowest} to ${highest}`)
      }
      if (rows === values.length) values = grown(values, population)
      values[rows++] = value === undefined ? Number.NaN : (value - lowest) / span
      if (value === undefined) return
      count++
      sum.add(value)
    },
    get count() {
      return count
    },
    mean: () => sum.over(count),
    interval() {
      catchUp()
      const stated = { confidence: 1 - alpha, method: "betting" } as const
      // With all rows the mean itself is known. Scaling would round it.
      if (isWhole) return { low: sum.over(count), high: sum.over(count), ...stated }
      return { low: lowest + span * held.low, high: lowest + span * held.high, ...stated }
    },
    narrow() {
      catchUp()
      if (rows <= LAST_LOOK || rows === population) look(rows)
      isWhole = rows === population && count > 0
    },
  }
}

/**
 * Returns one interval for values from 0 to 1 that come in random order, NaN for rows without one. It is valid whenever and however often it is
 * asked for. Only the first 100,000 rows count. With the number of rows of a set, it is the interval of the mean of that set, and else of all rows like these.
 */
export function anytimeInterval(values: Float64Array, population = UNLIMITED, alpha = 0.05): Interval {
  const seen = values.subarray(0, LAST_LOOK)
  const options: SequenceOptions = { population: Math.max(1, population, values.length), alpha }
  return { ...narrowed({ low: 0, high: 1 }, seen, options), confidence: 1 - alpha, method: "betting" }
}

/** A set that no sample changes, and of which the stakes still are few. */
export const UNLIMITED = 1e9

interface Ends {
  readonly low: number
  readonly high: number
}

/** Narrows an interval, on the scale from 0 to 1, to what the first rows of a set allow. */
function narrowed(held: Ends, rows: Float64Array, options: SequenceOptions): Ends {
  const scored = rows.filter((value) => !Number.isNaN(value))
  if (scored.length === 0) return held
  const total = exactSumOf(scored)
  const sum = total.value()
  const mean = total.over(scored.length)
  const left = options.population - rows.length
  const size = scored.length + left
  if (left === 0) return { low: mean, high: mean }
  // These bounds hold for any values of the other rows.
  const low = Math.max(held.low, sum / size)
  const high = Math.min(held.high, (sum + left) / size)
  const mirrored = rows.map((value) => 1 - value)
  return {
    low: Math.min(highestRejected(low, Math.max(low, mean), rows, options), high),
    high: Math.max(1 - highestRejected(1 - high, 1 - Math.min(high, mean), mirrored, options), low),
  }
}

function grown(values: Float64Array<ArrayBuffer>, limit: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.min(limit, values.length * 2))
  larger.set(values)
  return larger
}

/** Returns the highest bound from `low` to `high` that the values reject, or `low`. If they reject a bound, they reject all lower ones. */
function highestRejected(low: number, high: number, values: Float64Array, options: SequenceOptions): number {
  let rejected = low
  let open = high
  for (let step = 0; step < HALVINGS; step++) {
    const bound = (rejected + open) / 2
    if (createBoundTest(bound, options).add(values)) rejected = bound
    else open = bound
  }
  return rejected
}
