import { checkArgument } from "../check-argument.ts"
import { createExactSum } from "../exact/exact-sum.ts"
import type { IntervalOptions } from "../intervals/interval.ts"
import { meanInterval, standardError } from "../intervals/mean-interval.ts"
import { rateIntervalOfUnits } from "../intervals/rate-of-units.ts"
import { unitMoments } from "../intervals/units.ts"
import { type RowSums, createRowSums } from "./row-sums.ts"
import { sortNumbers } from "./sort-numbers.ts"
import { type RubricLabel, type Sorted, type Stats, statsOf } from "./stats.ts"
import { finishSteps, type Steps } from "../steps.ts"

export interface SummaryOptions extends IntervalOptions {
  /** The labels of a rubric to count. Labels with the same value are counted under the first of them. */
  readonly rubric?: readonly RubricLabel[]
  /** Values are amounts, such as tokens, and not a rate, even if all of them are 0 or 1. Default false. */
  readonly isAmount?: boolean
  /**
   * The lowest and the highest possible value. A value outside makes it void. Default: 0 to 1 if all values are; from 0 for amounts.
   */
  readonly range?: readonly [low: number, high: number] | undefined
  /** Values of one `row` are answers to the same question, and not those of a group. Then the variance is split. Default false. */
  readonly areRepeats?: boolean
}

export interface Summary {
  /**
   * Adds one value. `row` is the index of its row or group; give it for every value or for none. Values of one row are not
   * independent, and the interval takes that into account. Throws `invalid_request` if only some values have a row.
   */
  add(value: number, row?: number): void
  /** Returns the statistics of all values so far. More may be added afterwards. The order of values does not matter. */
  result(): Stats
  /** Computes the same in steps. Nothing may be added before the last one. */
  resultInSteps(): Steps<Stats>
  /** Returns the mean of all values so far, rounded once; NaN without values. */
  mean(): number
}

/**
 * Collects the values of one score. The interval is Wilson's if all values are 0 or 1, else {@link meanInterval}.
 *
 * Memory: zeros and ones of a rate are only counted. Other values take 8 bytes each (24 while a result is computed), and 4 more if
 * they have rows (12 while a result is computed). Rows take 8 bytes each (28 while a result is computed). All take up to as much again in reserve.
 */
export function createSummary(options: SummaryOptions = {}): Summary {
  const { isAmount = false, areRepeats = false } = options
  const others = createGrowingNumbers()
  const sum = createExactSum()
  let zeros = 0
  let ones = 0
  let nanCount = 0
  let rows: RowSums | null = null
  let isFirst = true

  const mean = () => sum.over(zeros + ones + others.values().length)
  function* computeResult(): Steps<Stats> {
    const sorted = yield* sortedValues(others.values(), zeros, ones)
    const repeated = rows?.repeats() === true ? { ...(yield* rows.units(others.values())), mean: mean() } : null
    const interval =
      others.values().length === 0
        ? rateIntervalOfUnits(ones, zeros + ones, repeated && unitMoments(repeated), options)
        : meanInterval(repeated ?? { sums: sorted.values, sizes: null, mean: mean() }, {
            ...options,
            range: rangeOf(sorted, options),
          })
    yield
    const stderr = repeated === null ? null : standardError(repeated)
    yield
    const rubric = options.rubric === undefined ? null : countLabels(options.rubric, sorted)
    return yield* statsOf(sorted, {
      nanCount,
      sum,
      interval,
      rubric,
      stderr,
      units: repeated === null ? null : (unitMoments(repeated).effective ?? null),
      repeated: areRepeats ? repeated : null,
    })
  }

  return {
    add(value, row) {
      if (isFirst) {
        isFirst = false
        if (row !== undefined) rows = createRowSums()
      }
      checkRow(rows !== null, row)
      if (!Number.isFinite(value)) {
        nanCount++
        return
      }
      if (value !== 0) sum.add(value)
      const isBit = !isAmount && (value === 0 || value === 1)
      if (row !== undefined && isBit) rows?.count(row, value)
      else if (row !== undefined) rows?.note(row)
      if (!isBit) others.add(value)
      else if (value === 0) zeros++
      else ones++
    },
    result: () => finishSteps(computeResult()),
    resultInSteps: computeResult,
    mean,
  }
}

/** Returns the range that values are known to have; undefined if there is none. */
function rangeOf({ values }: Sorted, { range, isAmount = false }: SummaryOptions): SummaryOptions["range"] {
  // No amount is below 0, and none has an upper end.
  const [low, high] = range ?? [0, isAmount ? Infinity : 1]
  const isWithin = (values[0] ?? low) >= low && (values.at(-1) ?? high) <= high
  return isWithin ? [low, high] : undefined
}

function checkRow(expected: boolean, row: number | undefined): void {
  if (expected !== (row !== undefined)) checkArgument(false, "row", row, "a row for every value, or for none")
}

function* sortedValues(others: Float64Array, zeros: number, ones: number): Steps<Sorted> {
  if (others.length === 0) {
    const bits = [0, 1].filter((bit) => (bit === 0 ? zeros : ones) > 0)
    return { values: Float64Array.from(bits), counts: Float64Array.from(bits, (bit) => (bit === 0 ? zeros : ones)) }
  }
  const values = new Float64Array(others.length + zeros + ones)
  values.set(others)
  values.fill(1, values.length - ones)
  yield* sortNumbers(values)
  return { values, counts: null }
}

function countLabels(
  rubric: readonly RubricLabel[],
  { values, counts }: Sorted,
): NonNullable<Stats["rubric_distribution"]> {
  const found = new Map(rubric.map(({ value }) => [value, 0]))
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0
    const count = found.get(value)
    if (count !== undefined) found.set(value, count + (counts?.[at] ?? 1))
  }
  return rubric.map(({ label, value }) => {
    const count = found.get(value) ?? 0
    found.delete(value)
    return { label, value, count }
  })
}

export interface SummarizeOptions extends SummaryOptions {
  /** The index of each value's row, if rows repeat. */
  readonly rows?: ArrayLike<number>
}

/** Summarises all values of one score at once: see {@link createSummary}. Throws `invalid_request`. */
export function summarize(values: ArrayLike<number>, { rows, ...options }: SummarizeOptions = {}): Stats {
  const given = rows?.length ?? values.length
  checkArgument(given === values.length, "rows", given, `one for each of the ${values.length} values`)
  const summary = createSummary(options)
  for (let at = 0; at < values.length; at++) summary.add(values[at] ?? Number.NaN, rows?.[at])
  return summary.result()
}

/** A growing list of numbers: 8 bytes each, and up to as much again in reserve. */
interface GrowingNumbers {
  add(value: number): void
  /** Returns a view of the numbers so far. Later numbers do not change it. */
  values(): Float64Array
}

const FIRST_CAPACITY = 64

function createGrowingNumbers(): GrowingNumbers {
  let kept = new Float64Array(FIRST_CAPACITY)
  let length = 0
  return {
    add(value) {
      if (length === kept.length) {
        const larger = new Float64Array(2 * length)
        larger.set(kept)
        kept = larger
      }
      kept[length++] = value
    },
    values: () => kept.subarray(0, length),
  }
}
