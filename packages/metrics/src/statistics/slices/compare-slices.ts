import { betaProbability } from "../distributions/beta-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanInterval, standardError } from "../intervals/mean-interval.ts"
import { rateIntervalOfUnits } from "../intervals/rate-of-units.ts"
import type { Units } from "../intervals/units.ts"
import { fisherExact } from "./fisher-exact.ts"

/** The values of one score, each with the slice it belongs to. */
export interface SlicedValues extends IntervalOptions {
  /** Finite numbers. */
  readonly values: ArrayLike<number>
  /** The number of each value's slice, from 0. */
  readonly slices: ArrayLike<number>
  /** The number of each value's row or group of rows, from 0 without gaps, if these have several values. */
  readonly clusters?: ArrayLike<number> | undefined
  /** Values are amounts, and not a rate, even if all of them are 0 or 1. Default false. */
  readonly isAmount?: boolean | undefined
}

export interface ComparedSlice {
  readonly count: number
  /** NaN without values. */
  readonly mean: number
  readonly interval: Interval | null
  /** Null if the slice or the rest has no values. */
  readonly difference: SliceDifference | null
}

/** How the mean of a slice differs from the mean of all other values. */
export interface SliceDifference {
  /** The mean of the slice minus that of the rest. */
  readonly value: number
  readonly interval: Interval | null
  /** The probability of a difference at least this large, in either direction, if there is none. Null: it is not tested. */
  readonly p: number | null
}

/** A slice with fewer rows, or groups of rows, is not tested. */
const MIN_UNITS = 5

/**
 * Compares each of `count` slices with the values of all others. Rows that repeat count once, and so do groups of rows.
 *
 * The interval of a difference combines those of both means (Zou and Donner, Statistics in Medicine 27 (2008), 1693–1702), which
 * for rates is Newcombe's method 10 (Statistics in Medicine 17 (1998), 873–890). The test is Fisher's for rates of single values,
 * else Welch's t, both two-sided. A slice of fewer than 5 rows, or a rest of fewer, is not tested.
 *
 * Time: a pass over all values for each slice.
 */
export function compareSlices(input: SlicedValues, count: number): readonly ComparedSlice[] {
  const isRate = input.isAmount !== true && isBinary(input.values)
  const sideOf = (slice: number, isInside: boolean) =>
    describeSide(
      unitsOfSide(input, (found) => (found === slice) === isInside),
      isRate,
      input,
    )
  return Array.from({ length: count }, (_, slice) => {
    const own = sideOf(slice, true)
    const { count: n, mean, interval } = own
    const rest = n === 0 ? own : sideOf(slice, false)
    const difference = n === 0 || rest.count === 0 ? null : differenceOf(own, rest, isRate)
    return { count: n, mean, interval, difference }
  })
}

interface Side extends Omit<ComparedSlice, "difference"> {
  readonly units: Units
}

function describeSide(units: Units, isRate: boolean, options: IntervalOptions): Side {
  const sum = total(units.sums)
  const count = units.sizes === null ? units.sums.length : total(units.sizes)
  const interval = isRate ? rateIntervalOfUnits(sum, count, units.sizes === null ? null : units, options) : null
  return { units, count, mean: sum / count, interval: isRate ? interval : meanInterval(units, options) }
}

function differenceOf(own: Side, rest: Side, isRate: boolean): SliceDifference {
  const isTested = Math.min(own.units.sums.length, rest.units.sums.length) >= MIN_UNITS
  const isSingle = own.units.sizes === null
  return {
    value: own.mean - rest.mean,
    interval: intervalOfDifference(own, rest),
    p: !isTested ? null : isRate && isSingle ? exactTest(own, rest) : welchTest(own, rest),
  }
}

function intervalOfDifference(own: Side, rest: Side): Interval | null {
  const [a, b] = [own.interval, rest.interval]
  if (a === null || b === null) return null
  const value = own.mean - rest.mean
  return {
    low: value - Math.hypot(own.mean - a.low, b.high - rest.mean),
    high: value + Math.hypot(a.high - own.mean, rest.mean - b.low),
    confidence: a.confidence,
    method: a.method === "wilson" ? "newcombe" : "combined-intervals",
  }
}

function exactTest(own: Side, rest: Side): number {
  const [rightA, rightB] = [Math.round(own.mean * own.count), Math.round(rest.mean * rest.count)]
  return fisherExact({ rightA, wrongA: own.count - rightA, rightB, wrongB: rest.count - rightB })
}

/**
 * Returns the p-value of Welch's t with the degrees of freedom of Satterthwaite (Welch, Biometrika 34 (1947), 28–35). Returns null if
 * one side has no valid interval because its values are equal.
 */
function welchTest(own: Side, rest: Side): number | null {
  if (meanInterval(own.units) === null || meanInterval(rest.units) === null) return null
  const [a, b] = [standardError(own.units) ** 2, standardError(rest.units) ** 2]
  const distance = (own.mean - rest.mean) ** 2
  if (a + b === 0) return distance === 0 ? 1 : 0
  const freedom = (a + b) ** 2 / (a ** 2 / (own.units.sums.length - 1) + b ** 2 / (rest.units.sums.length - 1))
  return betaProbability(freedom / (freedom + distance / (a + b)), freedom / 2, 0.5)
}

/** Returns the units of one side. Values of a cluster are one unit. */
function unitsOfSide({ values, slices, clusters }: SlicedValues, isOnSide: (slice: number) => boolean): Units {
  const sums = new Float64Array(values.length)
  const sizes = clusters === undefined ? null : new Float64Array(values.length)
  let length = 0
  for (let at = 0; at < values.length; at++) {
    if (!isOnSide(slices[at] ?? 0)) continue
    const place = clusters?.[at] ?? length
    length = clusters === undefined ? length + 1 : Math.max(length, place + 1)
    sums[place] = (sums[place] ?? 0) + (values[at] ?? 0)
    if (sizes !== null) sizes[place] = (sizes[place] ?? 0) + 1
  }
  if (sizes === null) return { sums: sums.subarray(0, length), sizes }
  return { sums: sums.filter((_, at) => sizes[at] !== 0), sizes: sizes.filter((size) => size !== 0) }
}

function isBinary(values: ArrayLike<number>): boolean {
  for (let at = 0; at < values.length; at++) if (values[at] !== 0 && values[at] !== 1) return false
  return true
}

function total(numbers: Float64Array): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
