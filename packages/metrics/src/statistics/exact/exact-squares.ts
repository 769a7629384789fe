import { type BinaryFraction, addFractions, fractionOf, multiplyFractions, roundQuotient } from "./binary-fraction.ts"
import { type ExactSum, createExactSum } from "./exact-sum.ts"

/** A sum of squares without rounding. The order of the numbers does not matter. */
export interface ExactSquares {
  /** Adds the square of a finite number. */
  add(value: number): void
  /** Adds numbers that are squares already. */
  addSum(squares: ExactSum): void
  /** Returns the sum, rounded once. Infinite if it is larger than any number. */
  value(): number
  /** Returns the sum without rounding. */
  fraction(): BinaryFraction
}

/** Squares of numbers between `SMALL` and `LARGE`, and their rounding errors, are in the range of a number. */
const SMALL = 2 ** -400
const LARGE = 2 ** 400
const EXPONENT = 600

/** Creates a sum of squares of 0. Each square is added as two numbers: the rounded square and what rounding cut off. */
export function createExactSquares(): ExactSquares {
  const usual = createExactSum()
  const small = createExactSum()
  const large = createExactSum()
  const fraction = (): BinaryFraction =>
    [scaled(usual, 0), scaled(small, -2 * EXPONENT), scaled(large, 2 * EXPONENT)].reduce(addFractions)
  return {
    add(value) {
      const size = Math.abs(value)
      if (size === 0) return
      if (size < SMALL) small.addProduct(value * 2 ** EXPONENT, value * 2 ** EXPONENT)
      else if (size > LARGE) large.addProduct(value * 2 ** -EXPONENT, value * 2 ** -EXPONENT)
      else usual.addProduct(value, value)
    },
    addSum: (squares) => usual.merge(squares),
    value: () => (small.parts().length + large.parts().length === 0 ? usual.value() : roundQuotient(fraction())),
    fraction,
  }
}

function scaled(sum: ExactSum, exponent: number): BinaryFraction {
  const { units, exponent: own } = sum.fraction()
  return { units, exponent: own + exponent }
}

/**
 * Returns the variance of `count` numbers around their mean, rounded once: (count · squares − sum²) / count². NaN without numbers.
 */
export function varianceOf(sum: ExactSum, squares: ExactSquares, count: number): number {
  if (count === 0) return Number.NaN
  const n = fractionOf([count])
  const total = sum.fraction()
  const { units, exponent } = multiplyFractions(total, total)
  const spread = addFractions(multiplyFractions(n, squares.fraction()), { units: -units, exponent })
  return roundQuotient(spread, multiplyFractions(n, n))
}
