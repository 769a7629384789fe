import { betaProbability } from "../distributions/beta-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanIntervalOfMoments } from "../intervals/mean-interval.ts"
import { rateIntervalOfUnits } from "../intervals/rate-of-units.ts"
import type { UnitMoments } from "../intervals/units.ts"
import { fisherExact } from "./fisher-exact.ts"
import { createUnitSums, type UnitSums } from "./unit-sums.ts"

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
 * Time: one pass over all values, or one for each slice if a cluster has values in several slices.
 */
export function compareSlices(input: SlicedValues, count: number): readonly ComparedSlice[] {
  const isRate = input.isAmount !== true && isBinary(input.values)
  const isSingle = input.clusters === undefined
  const describe = (sums: UnitSums) => describeSide(sums, { isRate, isSingle, options: input })
  return sumSides(input, count).map(({ own: ownSums, rest: restSums }) => {
    const own = describe(ownSums)
    const { count: n, mean, interval } = own
    const rest = describe(restSums)
    const difference = n === 0 || rest.count === 0 ? null : differenceOf(own, rest, isRate && isSingle)
    return { count: n, mean, interval, difference }
  })
}

interface Side extends Omit<ComparedSlice, "difference"> {
  readonly moments: UnitMoments
}

interface SideOptions {
  readonly isRate: boolean
  readonly isSingle: boolean
  readonly options: IntervalOptions
}

function describeSide(sums: UnitSums, { isRate, isSingle, options }: SideOptions): Side {
  const { count } = sums
  const moments = sums.moments()
  const ones = Math.min(count, Math.max(0, Math.round(moments.mean * count)))
  const interval =
    isRate && count > 0
      ? rateIntervalOfUnits(ones, count, isSingle ? null : moments, options)
      : meanIntervalOfMoments(moments, options)
  const mean = isRate ? ones / count : moments.mean
  return { moments, count, mean, interval }
}

function differenceOf(own: Side, rest: Side, isCounted: boolean): SliceDifference {
  const isTested = Math.min(own.moments.n, rest.moments.n) >= MIN_UNITS
  return {
    value: own.mean - rest.mean,
    interval: intervalOfDifference(own, rest),
    p: !isTested ? null : isCounted ? exactTest(own, rest) : welchTest(own, rest),
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
  if (meanIntervalOfMoments(own.moments) === null || meanIntervalOfMoments(rest.moments) === null) return null
  const [m, n] = [own.moments.n, rest.moments.n]
  const [a, b] = [own.moments.deviation ** 2 * (m / (m - 1)), rest.moments.deviation ** 2 * (n / (n - 1))]
  const distance = (own.mean - rest.mean) ** 2
  if (a + b === 0) return distance === 0 ? 1 : 0
  const freedom = (a + b) ** 2 / (a ** 2 / (m - 1) + b ** 2 / (n - 1))
  return betaProbability(freedom / (freedom + distance / (a + b)), freedom / 2, 0.5)
}

interface Sides {
  readonly own: UnitSums
  readonly rest: UnitSums
}

/** Sums the units of each slice and of its rest. The sums of the rest are those of the other slices: nothing is subtracted. */
function sumSides(input: SlicedValues, count: number): readonly Sides[] {
  const { values, slices, clusters } = input
  const centre = meanOf(values)
  const create = () => createUnitSums(centre)
  const own = Array.from({ length: count }, create)
  if (clusters === undefined) {
    for (let at = 0; at < values.length; at++) own[slices[at] ?? 0]?.add(values[at] ?? 0, 1)
  } else if (isWithinSlices(slices, clusters)) {
    const sliceOf = new Map<number, number>()
    for (let at = 0; at < values.length; at++) sliceOf.set(clusters[at] ?? 0, slices[at] ?? 0)
    addClusters(
      input,
      () => true,
      (cluster, sum, size) => own[sliceOf.get(cluster) ?? 0]?.add(sum, size),
    )
  } else {
    return own.map((sums, slice) => {
      const rest = create()
      addClusters(
        input,
        (found) => found === slice,
        (_, sum, size) => sums.add(sum, size),
      )
      addClusters(
        input,
        (found) => found !== slice,
        (_, sum, size) => rest.add(sum, size),
      )
      return { own: sums, rest }
    })
  }
  return own.map((sums) => {
    const rest = create()
    for (const other of own) if (other !== sums) rest.merge(other)
    return { own: sums, rest }
  })
}

/** Adds the values of each cluster that are in these slices as one unit. */
function addClusters(
  { values, slices, clusters }: SlicedValues,
  isIn: (slice: number) => boolean,
  add: (cluster: number, sum: number, size: number) => void,
): void {
  const sums = new Float64Array(values.length)
  const sizes = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) {
    if (!isIn(slices[at] ?? 0)) continue
    const place = clusters?.[at] ?? at
    sums[place] = (sums[place] ?? 0) + (values[at] ?? 0)
    sizes[place] = (sizes[place] ?? 0) + 1
  }
  for (const [cluster, size] of sizes.entries()) if (size > 0) add(cluster, sums[cluster] ?? 0, size)
}

function isWithinSlices(slices: ArrayLike<number>, clusters: ArrayLike<number>): boolean {
  const found = new Map<number, number>()
  for (let at = 0; at < clusters.length; at++) {
    const [cluster, slice] = [clusters[at] ?? 0, slices[at] ?? 0]
    const known = found.get(cluster)
    if (known !== undefined && known !== slice) return false
    found.set(cluster, slice)
  }
  return true
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at] ?? 0
  return values.length === 0 ? 0 : sum / values.length
}

function isBinary(values: ArrayLike<number>): boolean {
  for (let at = 0; at < values.length; at++) if (values[at] !== 0 && values[at] !== 1) return false
  return true
}
