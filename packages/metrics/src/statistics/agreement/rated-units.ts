import { checkArgument } from "../check-argument.ts"
import type { Label } from "./kappa.ts"

/** Rows with at least two values. Rows with the same values, in any order, share a pattern. */
export interface RatedUnits {
  /** The values that occur; in rising order if they are numbers that have one. */
  readonly values: readonly Label[]
  readonly allPlaces: Uint32Array
  readonly patterns: readonly ValuePattern[]
  /** The number of rows of each pattern. */
  readonly weights: Float64Array
  /** The pattern of each row. */
  readonly patternOf: Uint32Array
}

export interface ValuePattern {
  /** The places in `values` of the different values, and how often each occurs. */
  readonly places: readonly number[]
  readonly times: readonly number[]
  /** The number of values. */
  readonly size: number
}

/**
 * Groups rows by their values. Null and NaN are missing. Keeps a number for each row, and the values of each pattern once. Throws
 * `invalid_request` if values should be numbers and are not.
 */
export function rateUnits(rows: Iterable<readonly (Label | null)[]>, areNumbers: boolean): RatedUnits {
  const placeOf = new Map<Label, number>()
  const found = new Map<string, number>()
  const patterns: (readonly number[])[] = []
  const patternOf: number[] = []
  for (const row of rows) {
    const given = row.filter((value): value is Label => value !== null && !Number.isNaN(value))
    if (given.length < 2) continue
    const places = given.map((value) => {
      if (areNumbers) checkArgument(Number.isFinite(value), "rows", value, "finite numbers")
      const place = placeOf.get(value) ?? placeOf.size
      placeOf.set(value, place)
      return place
    })
    places.sort((a, b) => a - b)
    const key = places.join(" ")
    const pattern = found.get(key) ?? patterns.push(places) - 1
    found.set(key, pattern)
    patternOf.push(pattern)
  }
  const weights = new Float64Array(patterns.length)
  for (const pattern of patternOf) weights[pattern] = (weights[pattern] ?? 0) + 1
  const values = areNumbers ? [...placeOf.keys()].toSorted((a, b) => Number(a) - Number(b)) : [...placeOf.keys()]
  const rankOf = new Uint32Array(values.length)
  for (const [rank, value] of values.entries()) rankOf[placeOf.get(value) ?? 0] = rank
  return {
    values,
    allPlaces: Uint32Array.from(values.keys()),
    patterns: patterns.map((places) => countPlaces(places.map((place) => rankOf[place] ?? 0))),
    weights,
    patternOf: Uint32Array.from(patternOf),
  }
}

function countPlaces(all: readonly number[]): ValuePattern {
  const times = new Map<number, number>()
  for (const place of all) times.set(place, (times.get(place) ?? 0) + 1)
  return { places: [...times.keys()], times: [...times.values()], size: all.length }
}
