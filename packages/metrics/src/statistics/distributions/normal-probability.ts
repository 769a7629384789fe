const ROOT_TWO_PI = Math.sqrt(2 * Math.PI)
const SERIES_ENDS = 3

/**
 * How probable it is that a standard normal variable is at most `z`.
 *
 * Source: the power series Abramowitz and Stegun 26.2.11 near the centre, the continued fraction 26.2.14 further out;
 * relative accuracy about 1e-14, in the remote tail too.
 */
export function normalProbability(z: number): number {
  const size = Math.abs(z)
  const density = Math.exp((-z * z) / 2) / ROOT_TWO_PI
  if (size < SERIES_ENDS) return 0.5 + Math.sign(z) * density * centralSeries(size)
  const tail = density / tailFraction(size)
  return z < 0 ? tail : 1 - tail
}

function centralSeries(z: number): number {
  let term = z
  let sum = z
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  return sum
}

function tailFraction(z: number): number {
  let value = z
  for (let depth = 100; depth >= 1; depth--) value = z + depth / value
  return value
}
