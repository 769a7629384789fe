import { checkArgument } from "../check-argument.ts"
import type { Units } from "../intervals/units.ts"
import { sortNumbers } from "./sort-numbers.ts"
import { stepThrough, type Steps } from "../steps.ts"

/**
 * The values of rows, or of groups of rows, for their sums. Memory: 8 bytes per row up to the highest and 4 per value that is neither
 * 0 nor 1 of a rate, and up to as much again in reserve.
 */
export interface RowSums {
  /** Counts a value of 0 or 1, whose sums are exact. */
  count(row: number, bit: number): void
  /** Notes the row of the next one of the other values. */
  note(row: number): void
  /** Whether any row has more than one value. */
  repeats(): boolean
  /**
   * Returns the sum and number of values of each row. The values of a row are added in ascending order, so that the last digit of their sum does
   * not depend on which came first.
   * @param others the values of `note`, in the order of the calls
   * @param order the rows in the order in which they are returned; default: ascending
   */
  units(others: Float64Array, order?: ArrayLike<number>): Steps<Units>
}

const FIRST_CAPACITY = 64
const MAX_ROWS = 2 ** 28
/** The order of two addends does not matter. */
const FEWEST_TO_SORT = 3
/** More values are sorted by the engine. */
const MOST_TO_INSERT = 16

export function createRowSums(): RowSums {
  let ones = new Uint32Array(FIRST_CAPACITY)
  let sizes = new Uint32Array(FIRST_CAPACITY)
  let noted = new Uint32Array(FIRST_CAPACITY)
  let [notes, rows, repeated] = [0, 0, false]

  const grow = (row: number): void => {
    checkArgument(Number.isSafeInteger(row) && row >= 0 && row < MAX_ROWS, "row", row, `an index below ${MAX_ROWS}`)
    const capacity = 2 ** Math.ceil(Math.log2(row + 1))
    const [largerOnes, largerSizes] = [new Uint32Array(capacity), new Uint32Array(capacity)]
    largerOnes.set(ones)
    largerSizes.set(sizes)
    ;[ones, sizes] = [largerOnes, largerSizes]
  }
  const countRow = (row: number): void => {
    // An invalid index reads undefined here, and so does one that is too high.
    if (sizes[row] === undefined) grow(row)
    const size = sizes[row] ?? 0
    repeated ||= size > 0
    sizes[row] = size + 1
    if (row >= rows) rows = row + 1
  }
  /** Adds up the other values of each row. */
  function* sumOthers(others: Float64Array): Steps<Float64Array> {
    const ends = new Uint32Array(rows)
    for (let at = 0; at < notes; at++) {
      const row = noted[at] ?? 0
      ends[row] = (ends[row] ?? 0) + 1
    }
    yield
    let end = 0
    for (let row = 0; row < rows; row++) ends[row] = end += ends[row] ?? 0
    yield
    const values = new Float64Array(notes)
    // Backwards, so that the end of each row becomes its start.
    yield* stepThrough(notes, (from, to) => {
      for (let at = notes - 1 - from; at > notes - 1 - to; at--) {
        const row = noted[at] ?? 0
        const place = (ends[row] ?? 0) - 1
        ends[row] = place
        values[place] = others[at] ?? 0
      }
    })
    const sums = new Float64Array(rows)
    let next = 0
    while (next < rows) {
      const place = sumSmallRows({ values, starts: ends, sums }, next)
      yield
      if (place < rows) {
        const row = values.subarray(ends[place], ends[place + 1])
        yield* sortNumbers(row)
        sums[place] = row.reduce((sum, value) => sum + value, 0)
      }
      next = place + 1
    }
    return sums
  }
  return {
    count(row, bit) {
      countRow(row)
      if (bit === 1) ones[row] = (ones[row] ?? 0) + 1
    },
    note(row) {
      countRow(row)
      if (notes === noted.length) {
        const larger = new Uint32Array(2 * notes)
        larger.set(noted)
        noted = larger
      }
      noted[notes++] = row
    },
    repeats: () => repeated,
    *units(others, order) {
      const found = notes === 0 ? undefined : yield* sumOthers(others)
      const [sums, counts] = [new Float64Array(rows), new Float64Array(rows)]
      let units = 0
      yield* stepThrough(order?.length ?? rows, (start, end) => {
        for (let at = start; at < end; at++) {
          const row = order?.[at] ?? at
          const size = sizes[row] ?? 0
          if (size === 0) continue
          sums[units] = (ones[row] ?? 0) + (found?.[row] ?? 0)
          counts[units++] = size
        }
      })
      return { sums: sums.subarray(0, units), sizes: counts.subarray(0, units) }
    },
  }
}

interface RowValues {
  /** The values of all rows, one row after the other. */
  readonly values: Float64Array
  /** Where the values of each row start. */
  readonly starts: Uint32Array
  readonly sums: Float64Array
}

/** Adds up rows of few values, at most those of one step. Returns the next row, which may have many. */
function sumSmallRows({ values, starts, sums }: RowValues, first: number): number {
  const last = Math.min(starts.length, first + ROWS_PER_STEP)
  for (let row = first; row < last; row++) {
    const [start, end] = [starts[row] ?? 0, starts[row + 1] ?? values.length]
    if (end - start > MOST_TO_INSERT) return row
    if (end - start >= FEWEST_TO_SORT) sortFew(values, start, end)
    let sum = 0
    for (let at = start; at < end; at++) sum += values[at] ?? 0
    sums[row] = sum
  }
  return last
}

const ROWS_PER_STEP = 20_000

function sortFew(values: Float64Array, start: number, end: number): void {
  for (let at = start + 1; at < end; at++) {
    const value = values[at] ?? 0
    let place = at
    for (; place > start && (values[place - 1] ?? 0) > value; place--) values[place] = values[place - 1] ?? 0
    values[place] = value
  }
}
