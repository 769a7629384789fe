import { type BinaryFraction, addFractions, fractionOf, multiplyFractions, roundQuotient } from "./binary-fraction.ts"

/** A sum of numbers without rounding. The order of the numbers does not matter. */
export interface ExactSum {
  /** Adds a finite number. */
  add(value: number): void
  /** Adds the product of two numbers between 2^-400 and 2^400, or 0, without rounding. */
  addProduct(a: number, b: number): void
  /** Adds all numbers of another sum. */
  merge(other: ExactSum): void
  /** Returns the sum, rounded once. Infinite if it is larger than any number. */
  value(): number
  /** Returns the sum divided by a number above 0, rounded once; NaN for 0. The mean of numbers is never outside their range. */
  over(divisor: number): number
  /** Returns the sum without rounding. */
  fraction(): BinaryFraction
  /** Returns numbers whose digits do not overlap. Their sum is that of the values below 2^950, each size. */
  parts(): Float64Array
  /** Returns the same for the other values, divided by 2^200. */
  largeParts(): Float64Array
}

/** The sum of any possible number of smaller values is finite. */
const LARGE = 2 ** 950
/** Larger values are divided by 2 to the power of this. They lose no digit. */
const LARGE_EXPONENT = 200

/**
 * Creates a sum of 0. It holds what was added in numbers whose digits do not overlap: two or three for scores, and never more than the 2,098 binary
 * positions of numbers. To add takes a few operations for each of them.
 *
 * Source: Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", Discrete & Computational
 * Geometry 18 (1997), section 2.3 (grow-expansion).
 */
export function createExactSum(): ExactSum {
  const usual = createParts()
  let large: Parts | undefined
  const largeParts = () => large?.values() ?? NO_PARTS
  const fraction = (): BinaryFraction =>
    addFractions(fractionOf(usual.values()), fractionOf(largeParts(), LARGE_EXPONENT))
  const add = (value: number): void => {
    if (value < LARGE && value > -LARGE) usual.add(value)
    else (large ??= createParts()).add(value * 2 ** -LARGE_EXPONENT)
  }
  return {
    add,
    addProduct(a, b) {
      const product = a * b
      const rest = cutOff(a, b, product)
      add(product)
      if (rest !== 0) add(rest)
    },
    merge(other) {
      for (const part of other.parts()) usual.add(part)
      for (const part of other.largeParts()) (large ??= createParts()).add(part)
    },
    value: () => (large === undefined ? roundParts(usual.values()) : roundQuotient(fraction())),
    over(divisor) {
      if (divisor === 0) return Number.NaN
      const nearest = large === undefined ? divideParts(usual.values(), divisor) : undefined
      return nearest ?? roundQuotient(fraction(), fractionOf([divisor]))
    },
    fraction,
    parts: () => usual.values(),
    largeParts,
  }
}

const NO_PARTS = new Float64Array()

interface Parts {
  add(value: number): void
  /** Returns a view of the parts, the smallest first. */
  values(): Float64Array
}

const FIRST_CAPACITY = 4

/** Creates parts that do not overlap. The rounding error of an addition stays a part: Knuth's two-sum, for addends of any sizes. */
function createParts(): Parts {
  let parts = new Float64Array(FIRST_CAPACITY)
  let count = 0
  return {
    add(value) {
      let kept = 0
      let high = value
      for (let at = 0; at < count; at++) {
        const part = parts[at] as number
        const sum = high + part
        const virtual = sum - high
        const rest = high - (sum - virtual) + (part - virtual)
        if (rest !== 0) parts[kept++] = rest
        high = sum
      }
      if (kept === parts.length) {
        const larger = new Float64Array(2 * kept)
        larger.set(parts)
        parts = larger
      }
      if (high !== 0) parts[kept++] = high
      count = kept
    },
    values: () => parts.subarray(0, count),
  }
}

/** Returns the sum of parts that do not overlap, rounded once. */
function roundParts(parts: Float64Array): number {
  let at = parts.length - 1
  let high = parts[at] ?? 0
  let rest = 0
  while (at > 0 && rest === 0) {
    const part = parts[--at] ?? 0
    const sum = high + part
    rest = part - (sum - high)
    high = sum
  }
  // If the rest is half of the last digit, the parts below it say in which direction to round.
  const below = at > 0 ? (parts[at - 1] ?? 0) : 0
  if ((rest > 0 && below > 0) || (rest < 0 && below < 0)) {
    const doubled = 2 * rest
    const other = high + doubled
    if (doubled === other - high) return other
  }
  return high
}

/** Numbers between `LEAST` and `MOST` have exact products. */
const LEAST = 2 ** -900
const MOST = 2 ** 900

/**
 * Divides the sum of parts by a number above 0. Returns undefined if this arithmetic can't find the nearest number, as near the middle of two numbers.
 */
function divideParts(parts: Float64Array, divisor: number): number | undefined {
  if (parts.length <= 1) return (parts[0] ?? 0) / divisor
  const first = roundParts(parts) / divisor
  const size = Math.abs(first)
  if (!(size > LEAST && size < MOST && divisor > LEAST && divisor < MOST)) return undefined
  const left = createParts()
  for (const part of parts) left.add(part)
  const product = first * divisor
  left.add(-product)
  left.add(-cutOff(first, divisor, product))
  const correction = roundParts(left.values()) / divisor
  const nearest = first + correction
  const cut = correction - (nearest - first)
  // A little more than the maximum error of the correction.
  const unsure = cut + Math.sign(cut) * Math.abs(correction) * 2 ** -50
  return nearest + unsure === nearest ? nearest : undefined
}

/** Splits a number of 53 binary digits into halves. */
const SPLITTER = 2 ** 27 + 1

/**
 * Returns what rounding cut off the product of two numbers. It is exact unless it is out of range.
 * Source: Dekker, Numerische Mathematik 18 (1971), 224–242.
 */
function cutOff(a: number, b: number, product: number): number {
  const splitA = SPLITTER * a
  const splitB = SPLITTER * b
  const highA = splitA - (splitA - a)
  const highB = splitB - (splitB - b)
  const lowA = a - highA
  const lowB = b - highB
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB
}

/** Returns the sum of numbers, rounded once. */
export function sumOf(values: ArrayLike<number>): number {
  return exactSumOf(values).value()
}

/** Returns the mean of numbers, rounded once; NaN without numbers. */
export function meanOf(values: ArrayLike<number>): number {
  return exactSumOf(values).over(values.length)
}

/**
 * Returns the weighted mean of numbers, rounded once, so that it is never outside their range; NaN if a number is NaN, or if all weights are 0.
 * @param weights finite numbers from 0
 */
export function weightedMeanOf(values: readonly number[], weights: readonly number[]): number {
  if (!values.every(Number.isFinite) || weights.every((weight) => weight === 0)) return Number.NaN
  if (weights.every((weight) => weight === weights[0])) return meanOf(values)
  const sum = values
    .map((value, at) => multiplyFractions(fractionOf([value]), fractionOf([weights[at] ?? 0])))
    .reduce(addFractions)
  return roundQuotient(sum, fractionOf(weights))
}

/** Returns the sum of numbers without rounding. */
export function exactSumOf(values: ArrayLike<number>): ExactSum {
  const sum = createExactSum()
  for (let at = 0; at < values.length; at++) sum.add(values[at] ?? 0)
  return sum
}
