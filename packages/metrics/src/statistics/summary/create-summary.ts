import { checkArgument } from "../check-argument.ts"
import type { IntervalOptions } from "../intervals/interval.ts"
import { meanInterval, standardError } from "../intervals/mean-interval.ts"
import { intervalOfRate } from "./interval-of-rate.ts"
import { createRowSums, type RowSums } from "./row-sums.ts"
import { type RubricLabel, type Sorted, type Stats, statsOf } from "./stats.ts"

export interface SummaryOptions extends IntervalOptions {
  /** The labels of a rubric, to be counted; labels with one value are counted together under the first. */
  readonly rubric?: readonly RubricLabel[]
  /** Values are amounts, such as tokens: not a rate, even where all of them are 0 or 1. Default false. */
  readonly isAmount?: boolean
}

export interface Summary {
  /**
   * Adds one value. `row` is the index of the row or group that it belongs to, for every value or for none; values of one row
   * count as one in how sure the mean is. Throws `invalid_request` where only some values come with a row.
   */
  add(value: number, row?: number): void
  /** What is known so far; more may be added afterwards. It depends on the values alone, not on their order. */
  result(): Stats
}

/**
 * Collects the values of one score. The interval is Wilson's where all are 0 or 1, else {@link meanInterval}.
 *
 * Zeros and ones of a rate are only counted; other values take 8 bytes each (16 while a result is made) and up to as many in reserve, rows 16 bytes: a
 * million values stay below 40 MB.
 */
export function createSummary(options: SummaryOptions = {}): Summary {
  const { isAmount = false } = options
  const others = createGrowingNumbers()
  let [zeros, ones, nanCount] = [0, 0, 0]
  let rows: RowSums | null = null
  let isFirst = true

  return {
    add(value, row) {
      if (isFirst) {
        isFirst = false
        if (row !== undefined) rows = createRowSums()
      }
      checkRow(rows !== null, row)
      if (value === 0 && !isAmount) zeros++
      else if (value === 1 && !isAmount) ones++
      else if (Number.isFinite(value)) others.add(value)
      else {
        nanCount++
        return
      }
      if (row !== undefined) rows?.add(row, value)
    },
    result() {
      const sorted = sortedValues(others.values(), zeros, ones)
      const repeated = rows?.repeats() === true ? rows.units() : null
      const interval =
        others.values().length === 0
          ? intervalOfRate(ones, zeros + ones, repeated, options)
          : meanInterval(repeated ?? { sums: sorted.values, sizes: null }, options)
      const stderr = repeated === null ? null : standardError(repeated)
      const rubric = options.rubric === undefined ? null : countLabels(options.rubric, sorted)
      return statsOf(sorted, { nanCount, interval, rubric, stderr })
    },
  }
}

function checkRow(expected: boolean, row: number | undefined): void {
  if (expected !== (row !== undefined)) checkArgument(false, "row", row, "every value its row, or none")
}

function sortedValues(others: Float64Array, zeros: number, ones: number): Sorted {
  if (others.length === 0) {
    const bits = [0, 1].filter((bit) => (bit === 0 ? zeros : ones) > 0)
    return { values: Float64Array.from(bits), counts: Float64Array.from(bits, (bit) => (bit === 0 ? zeros : ones)) }
  }
  const values = new Float64Array(others.length + zeros + ones)
  values.set(others)
  values.fill(1, values.length - ones)
  values.sort()
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
  /** For each value the index of its row, where rows repeat. */
  readonly rows?: ArrayLike<number>
}

/** What is known of one score, from all its values at once: see {@link createSummary}. Throws `invalid_request`. */
export function summarize(values: ArrayLike<number>, { rows, ...options }: SummarizeOptions = {}): Stats {
  const given = rows?.length ?? values.length
  checkArgument(given === values.length, "rows", given, `one for each of the ${values.length} values`)
  const summary = createSummary(options)
  for (let at = 0; at < values.length; at++) summary.add(values[at] ?? Number.NaN, rows?.[at])
  return summary.result()
}

/** Numbers that are kept as they come, 8 bytes each and up to as many again in reserve. */
interface GrowingNumbers {
  add(value: number): void
  /** What was added so far. The next `add` may write beside it, but not over it. */
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
