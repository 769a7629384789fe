import { normalQuantile } from "./normal-distribution.ts"

const HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI)
const SMALLEST = 1e-300
const MAX_STEPS = 1_000_000

/**
 * Returns the probability that a Beta(a, b) variable is at most `x`: the regularised incomplete beta function.
 *
 * It also gives the tails of the binomial and of Student's distribution. Source: continued fraction DLMF 8.17.22,
 * evaluated by Lentz's method (Thompson and Barnett 1986).
 */
export function betaProbability(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const factor = Math.exp(logFactor(x, a, b))
  // The continued fraction converges fast only below the mean.
  return x < (a + 1) / (a + b + 2)
    ? (factor * continuedFraction(x, a, b)) / a
    : 1 - (factor * continuedFraction(1 - x, b, a)) / b
}

/** Returns ln of x^a (1 − x)^b / B(a, b). */
function logFactor(x: number, a: number, b: number): number {
  const total = a + b
  return (
    a * logRatio(x * total, a) +
    b * logRatio((1 - x) * total, b) +
    0.5 * Math.log((a * b) / total) -
    HALF_LOG_TWO_PI -
    stirlingRemainder(a) -
    stirlingRemainder(b) +
    stirlingRemainder(total)
  )
}

/** Returns ln of over / under, with full accuracy even if the two are nearly equal, as they are for large a and b. */
function logRatio(over: number, under: number): number {
  const excess = (over - under) / under
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(over / under)
}

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m <= MAX_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / awayFromZero(1 + even * d)
    c = awayFromZero(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / awayFromZero(1 + odd * d)
    c = awayFromZero(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < Number.EPSILON) break
  }
  return value
}

function awayFromZero(value: number): number {
  return Math.abs(value) < SMALLEST ? SMALLEST : value
}

const MAX_HALVINGS = 1100

/** Returns the number that a Beta(a, b) variable stays below with probability `p`, by bisection, to the second-last digit. */
export function betaQuantile(p: number, a: number, b: number): number {
  let low = 0
  let high = 1
  for (let step = 0; step < MAX_HALVINGS; step++) {
    const middle = (low + high) / 2
    if (high - low <= Number.EPSILON * middle || middle === low || middle === high) break
    if (betaProbability(middle, a, b) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** From here on, the series has full accuracy. */
const MIN_SERIES = 16

/**
 * Returns the remainder of Stirling's formula: ln Γ(z) − ((z − ½) ln z − z + ½ ln 2π), for z > 0.
 *
 * The large terms of ln Γ cancel in a binomial probability. Computing with only the remainder keeps all digits
 * (Loader, "Fast and accurate computation of binomial probabilities", 2000). Series: DLMF 5.11.1.
 */
function stirlingRemainder(z: number): number {
  if (z >= MIN_SERIES) return series(z)
  let product = 1
  let shifted = z
  for (; shifted < MIN_SERIES; shifted++) product *= shifted
  const logGamma = series(shifted) + (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI - Math.log(product)
  return logGamma - ((z - 0.5) * Math.log(z) - z + HALF_LOG_TWO_PI)
}

function series(z: number): number {
  const square = 1 / (z * z)
  return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188))))) / z
}

/**
 * Returns the number that Student's t with `degreesOfFreedom` stays below with probability `p`: 2.042 for 0.975 and 30.
 * With infinite degrees of freedom it is the normal distribution. Source: DLMF 8.17 and Abramowitz and Stegun 26.7.1.
 */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom === Infinity || p === 0.5) return normalQuantile(p)
  const both = 2 * Math.min(p, 1 - p)
  const share = betaQuantile(both, degreesOfFreedom / 2, 0.5)
  const size = Math.sqrt((degreesOfFreedom * (1 - share)) / share)
  return p < 0.5 ? -size : size
}
