import { checkArgument } from "../check-argument.ts"
import { sumOf } from "../exact/exact-sum.ts"
import type { Units } from "../intervals/units.ts"
import { ITEMS_PER_STEP, stepThrough, type Steps } from "../steps.ts"

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
   * Returns the sum, rounded once, and the number of values of each row. Their order does not matter.
   * @param others the values of `note`, in the order of the calls
   */
  units(others: Float64Array): Steps<Omit<Units, "mean">>
}

const FIRST_CAPACITY = 64
const MAX_ROWS = 2 ** 28

export function createRowSums(): RowSums {
  let ones = new Uint32Array(FIRST_CAPACITY)
  let sizes = new Uint32Array(FIRST_CAPACITY)
  let noted = new Uint32Array(FIRST_CAPACITY)
  let notes = 0
  let rows = 0
  let repeated = false

  const grow = (row: number): void => {
    checkArgument(Number.isSafeInteger(row) && row >= 0 && row < MAX_ROWS, "row", row, `an index below ${MAX_ROWS}`)
    const capacity = 2 ** Math.ceil(Math.log2(row + 1))
    const largerOnes = new Uint32Array(capacity)
    const largerSizes = new Uint32Array(capacity)
    largerOnes.set(ones)
    largerSizes.set(sizes)
    ones = largerOnes
    sizes = largerSizes
  }
  const countRow = (row: number): void => {
    // An invalid index reads undefined here, and so does one that is too high.
    if (sizes[row] === undefined) grow(row)
    const size = sizes[row] ?? 0
    repeated ||= size > 0
    sizes[row] = size + 1
    if (row >= rows) rows = row + 1
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
    *units(others) {
      const found = notes === 0 ? undefined : yield* sumOthers({ noted, notes, rows }, others)
      const sums = new Float64Array(rows)
      const counts = new Float64Array(rows)
      let units = 0
      yield* stepThrough(rows, (start, end) => {
        for (let row = start; row < end; row++) {
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

interface NotedRows {
  /** The row of each of the other values. */
  readonly noted: Uint32Array
  readonly notes: number
  readonly rows: number
}

/** Adds up the other values of each row. */
function* sumOthers({ noted, notes, rows }: NotedRows, others: Float64Array): Steps<Float64Array> {
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
      const index = (ends[row] ?? 0) - 1
      ends[row] = index
      values[index] = others[at] ?? 0
    }
  })
  const sums = new Float64Array(rows)
  let left = ITEMS_PER_STEP
  for (let row = 0; row < rows; row++) {
    const own = values.subarray(ends[row], ends[row + 1])
    sums[row] = own.length < 2 ? (own[0] ?? 0) : sumOf(own)
    left -= 1 + own.length
    if (left > 0) continue
    left = ITEMS_PER_STEP
    yield
  }
  return sums
}
