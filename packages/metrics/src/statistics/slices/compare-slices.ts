import { finishSteps, type Steps, stepThrough } from "../steps.ts"
import { betaProbability } from "../distributions/beta-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanIntervalOfMoments } from "../intervals/mean-interval.ts"
import { rateIntervalOfUnits } from "../intervals/rate-of-units.ts"
import type { UnitMoments } from "../intervals/units.ts"
import { fisherExact } from "./fisher-exact.ts"
import { areWithinSlices, sumClusters } from "./sum-clusters.ts"
import { permutationTest } from "./permutation-test.ts"
import { type SliceUnits, sliceUnits } from "./slice-units.ts"
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
/** From here on, Welch's test holds for values whose means are nearly symmetric. */
const MIN_WELCH_UNITS = 100
const MAX_WELCH_SKEWNESS = 0.1

/**
 * Compares each of `count` slices with the values of all others. Rows that repeat count once, and so do groups of rows.
 *
 * The interval of a difference combines those of both means (Zou and Donner, Statistics in Medicine 27 (2008), 1693–1702), which
 * for rates is Newcombe's method 10 (Statistics in Medicine 17 (1998), 873–890). The test is Fisher's exact one for rates of single values,
 * else {@link permutationTest}; both hold for any number of rows and for skewed values. From 100 units on, on both sides, Welch's t takes its place if
 * the means of the units are nearly symmetric (a skewness of at most 0.1). All are two-sided. A slice of fewer than 5 rows, or a rest of fewer, is
 * not tested, and neither is a slice that shares groups of rows with others where Welch's test does not hold.
 *
 * Time: one pass over all values. If a cluster has values in several slices, each cluster also counts once for each slice.
 */
export function compareSlices(input: SlicedValues, count: number): readonly ComparedSlice[] {
  return finishSteps(compareSlicesInSteps(input, count))
}

/** Compares slices like {@link compareSlices}, in steps. */
export function* compareSlicesInSteps(input: SlicedValues, count: number): Steps<readonly ComparedSlice[]> {
  const isRate = input.isAmount !== true && isBinary(input.values)
  yield
  const isSingle = input.clusters === undefined
  const describe = (sums: UnitSums) => describeSide(sums, { isRate, isSingle, options: input })
  const compared: ComparedSlice[] = []
  const sides = yield* sumSides(input, count)
  const units = isRate && isSingle ? undefined : yield* sliceUnits(input)
  for (const [slice, { own: ownSums, rest: restSums }] of sides.entries()) {
    const own = describe(ownSums)
    const { count: n, mean, interval } = own
    const rest = describe(restSums)
    const isEmpty = n === 0 || rest.count === 0
    const p = isEmpty ? null : yield* testOf(own, rest, { slice, units, isCounted: isRate && isSingle })
    const difference = isEmpty ? null : { value: mean - rest.mean, interval: intervalOfDifference(own, rest), p }
    compared.push({ count: n, mean, interval, difference })
    yield
  }
  return compared
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

interface TestOptions {
  readonly slice: number
  /** Undefined if groups of rows are in several slices. */
  readonly units: SliceUnits | undefined
  /** Whether the values are counts of independent rows. */
  readonly isCounted: boolean
}

function* testOf(own: Side, rest: Side, { slice, units, isCounted }: TestOptions): Steps<number | null> {
  if (Math.min(own.moments.n, rest.moments.n) < MIN_UNITS) return null
  if (isCounted) return exactTest(own, rest)
  if (isNearlySymmetric(own.moments) && isNearlySymmetric(rest.moments)) return welchTest(own, rest)
  if (units === undefined) return null
  const { sum, count } = units.of(slice)
  return yield* permutationTest(units.offsets, count, sum)
}

function isNearlySymmetric({ n, deviation, skewness }: UnitMoments): boolean {
  return n >= MIN_WELCH_UNITS && deviation > 0 && Math.abs(skewness) <= MAX_WELCH_SKEWNESS
}

function intervalOfDifference(own: Side, rest: Side): Interval | null {
  const a = own.interval
  const b = rest.interval
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
  const rightA = Math.round(own.mean * own.count)
  const rightB = Math.round(rest.mean * rest.count)
  return fisherExact({ rightA, wrongA: own.count - rightA, rightB, wrongB: rest.count - rightB })
}

/** Returns the p-value of Welch's t with the degrees of freedom of Satterthwaite (Welch, Biometrika 34 (1947), 28–35). */
function welchTest(own: Side, rest: Side): number {
  const m = own.moments.n
  const n = rest.moments.n
  const a = own.moments.deviation ** 2 * (m / (m - 1))
  const b = rest.moments.deviation ** 2 * (n / (n - 1))
  const distance = (own.mean - rest.mean) ** 2
  const freedom = (a + b) ** 2 / (a ** 2 / (m - 1) + b ** 2 / (n - 1))
  return betaProbability(freedom / (freedom + distance / (a + b)), freedom / 2, 0.5)
}

interface Sides {
  readonly own: UnitSums
  readonly rest: UnitSums
}

/** Sums the units of each slice and of its rest. The sums of the rest are those of the other slices: nothing is subtracted. */
function* sumSides({ values, slices, clusters }: SlicedValues, count: number): Steps<readonly Sides[]> {
  const centre = meanOf(values)
  yield
  const create = () => createUnitSums(centre)
  const own = Array.from({ length: count }, create)
  const rests = Array.from({ length: count }, create)
  if (clusters === undefined) {
    yield* stepThrough(values.length, (start, end) => {
      for (let at = start; at < end; at++) own[slices[at] ?? 0]?.add(values[at] ?? 0, 1)
    })
  } else {
    const areWithin = areWithinSlices({ slices, clusters })
    yield
    yield* sumClusters({ values, slices, clusters }, { own, rests: areWithin ? undefined : rests })
    if (!areWithin) return own.map((sums, slice) => ({ own: sums, rest: rests[slice] ?? create() }))
  }
  for (const [slice, rest] of rests.entries()) {
    for (const [other, sums] of own.entries()) if (other !== slice) rest.merge(sums)
  }
  return own.map((sums, slice) => ({ own: sums, rest: rests[slice] ?? create() }))
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
