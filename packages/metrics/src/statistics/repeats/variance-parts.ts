import { createExactSum } from "../exact/exact-sum.ts"
import type { Units } from "../intervals/units.ts"

/** How much of the variance of a mean comes from the rows, and how much from the answers to one row. */
export interface VarianceParts {
  /** Rows with a value. */
  readonly rows: number
  /** The variance of the true means of rows. */
  readonly between: number
  /** The variance of the answers to one row. */
  readonly within: number
  /** How many times as wide the interval of the mean would be. */
  readonly widths: {
    /** If each row had been asked once. */
    readonly askedOnce: number
    /** If each row had been asked twice as often. */
    readonly askedTwice: number
    /** If each row had been asked any number of times: what more repeats can reach at most. */
    readonly askedForever: number
    /** If as many answers had come from rows that are asked once each. */
    readonly spread: number
  }
}

/**
 * Splits the variance of rows that were asked several times: the estimators of a one-way random effects analysis of variance
 * (Searle, Casella and McCulloch, Variance Components (1992), section 3.6, for rows with different numbers of values). A negative
 * estimate for the rows is 0. Returns null if there are fewer than two rows, if no row has two values, or if nothing varies.
 *
 * @param squares the sum of the squares of all values
 */
export function splitVariance({ sums, sizes }: Units, squares: number): VarianceParts | null {
  const rows = sums.length
  const sizeOf = (row: number) => sizes?.[row] ?? 1
  const sumOfRows = createExactSum()
  const squaresOfRows = createExactSum()
  let count = 0
  let sizeSquares = 0
  for (let row = 0; row < rows; row++) {
    const sum = sums[row] ?? 0
    const size = sizeOf(row)
    count += size
    sumOfRows.add(sum)
    squaresOfRows.add(sum ** 2 / size)
    sizeSquares += size ** 2
  }
  if (rows < 2 || count === rows) return null
  const total = sumOfRows.value()
  const rowSquares = squaresOfRows.value()
  const within = Math.max(0, squares - rowSquares) / (count - rows)
  const meanSquare = Math.max(0, rowSquares - total ** 2 / count) / (rows - 1)
  const repeats = (count - sizeSquares / count) / (rows - 1)
  const between = Math.max(0, meanSquare - within) / repeats
  const variance = between + within / repeats
  if (!(variance > squares * ROUNDING)) return null
  const width = (other: number) => Math.sqrt(other / variance)
  return {
    rows,
    between,
    within,
    widths: {
      askedOnce: width(between + within),
      askedTwice: width(between + within / (2 * repeats)),
      askedForever: width(between),
      spread: width((between + within) / repeats),
    },
  }
}

/** The largest part of sums of squares that rounding can leave as a difference of 0. */
const ROUNDING = 1e-13
