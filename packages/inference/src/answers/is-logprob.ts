/** Servers write −9999 for a token that is impossible. */
const LEAST = -10_000
/** Rounding of 32-bit numbers can put a certain token this far above 0. */
const ROUNDING = 1e-5

/** Returns whether a number can be the natural logarithm of a probability. */
export function isLogprob(value: number): boolean {
  return value >= LEAST && value <= ROUNDING
}
