import type { Random } from "../create-random.ts"

/** From this shape on, rejection is faster than a product of uniform numbers. */
const LEAST_REJECTED = 7

/**
 * Returns a random number of the Gamma distribution with a scale of 1 and a whole `shape` above 0. For a shape of 1 it is an exponential variable.
 *
 * Source: Marsaglia and Tsang, "A simple method for generating gamma variables", ACM Transactions on Mathematical Software 26
 * (2000), 363–372. A small shape is a sum of exponential variables.
 */
export function gammaVariate(shape: number, random: Random): number {
  if (shape < LEAST_REJECTED) {
    let product = 1
    for (let one = 0; one < shape; one++) product *= 1 - random()
    return -Math.log(product)
  }
  const middle = shape - 1 / 3
  const width = 1 / Math.sqrt(9 * middle)
  for (;;) {
    const z = normalVariate(random)
    const cube = (1 + width * z) ** 3
    if (cube <= 0) continue
    if (Math.log(1 - random()) < 0.5 * z * z + middle * (1 - cube + Math.log(cube))) return middle * cube
  }
}

/** Returns a random number of the normal distribution. Source: Marsaglia's polar method (SIAM Review 6, 1964, 260–264). */
function normalVariate(random: Random): number {
  for (;;) {
    const x = 2 * random() - 1
    const y = 2 * random() - 1
    const square = x * x + y * y
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square)
  }
}
