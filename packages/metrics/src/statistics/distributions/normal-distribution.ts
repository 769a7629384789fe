const ROOT_TWO_PI = Math.sqrt(2 * Math.PI)
const SERIES_ENDS = 3

/**
 * Returns the probability that a standard normal variable is at most `z`.
 *
 * Source: the power series Abramowitz and Stegun 26.2.11 near the centre, the continued fraction 26.2.14 in the tails.
 * The relative accuracy is about 1e-14, also far out in the tails.
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

type Coefficients = readonly number[]

const CENTRE: readonly [Coefficients, Coefficients] = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852546,
  ],
]
const SHOULDER: readonly [Coefficients, Coefficients] = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
]
const TAIL: readonly [Coefficients, Coefficients] = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 1.8463183175100548e-5,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
]

/**
 * Returns the number that a standard normal variable stays below with probability `p`: 1.96 for 0.975.
 *
 * Source: Wichura, algorithm AS 241 (PPND16), Applied Statistics 37 (1988). The relative accuracy is 1e-16.
 */
export function normalQuantile(p: number): number {
  const offset = p - 0.5
  if (Math.abs(offset) <= 0.425) return offset * ratio(CENTRE, 0.180625 - offset * offset)
  if (p <= 0 || p >= 1) return p === 0 ? -Infinity : p === 1 ? Infinity : Number.NaN
  const root = Math.sqrt(-Math.log(Math.min(p, 1 - p)))
  const size = root <= 5 ? ratio(SHOULDER, root - 1.6) : ratio(TAIL, root - 5)
  return offset < 0 ? -size : size
}

function ratio([over, under]: readonly [Coefficients, Coefficients], x: number): number {
  return polynomial(over, x) / polynomial(under, x)
}

function polynomial(coefficients: Coefficients, x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0)
}
