import { checkArgument } from "../check-argument.ts"
import type { Label } from "./kappa.ts"

/** Rows with at least two values. Rows with the same values, in any order, share a pattern. */
export interface RatedUnits {
  /** The values that occur; in rising order if they are numbers that have one. */
  readonly values: readonly Label[]
  readonly allIndexes: Uint32Array
  readonly patterns: readonly ValuePattern[]
  /** The number of rows of each pattern. */
  readonly weights: Float64Array
  /** The pattern of each row. */
  readonly patternOf: Uint32Array
}

export interface ValuePattern {
  /** The indexes in `values` of the different values, and how often each occurs. */
  readonly indexes: readonly number[]
  readonly times: readonly number[]
  /** The number of values. */
  readonly size: number
}

/**
 * Groups rows by their values. Null and NaN are missing. Keeps a number for each row, and the values of each pattern once. Throws
 * `invalid_request` if values should be numbers and are not.
 */
export function rateUnits(rows: Iterable<readonly (Label | null)[]>, areNumbers: boolean): RatedUnits {
  const indexOf = new Map<Label, number>()
  const found = new Map<string, number>()
  const patterns: (readonly number[])[] = []
  const patternOf: number[] = []
  for (const row of rows) {
    const given = row.filter((value): value is Label => value !== null && !Number.isNaN(value))
    if (given.length < 2) continue
    const indexes = given.map((value) => {
      if (areNumbers) checkArgument(Number.isFinite(value), "rows", value, "finite numbers")
      const index = indexOf.get(value) ?? indexOf.size
      indexOf.set(value, index)
      return index
    })
    indexes.sort((a, b) => a - b)
    const key = indexes.join(" ")
    const pattern = found.get(key) ?? patterns.push(indexes) - 1
    found.set(key, pattern)
    patternOf.push(pattern)
  }
  const weights = new Float64Array(patterns.length)
  for (const pattern of patternOf) weights[pattern] = (weights[pattern] ?? 0) + 1
  const values = areNumbers ? [...indexOf.keys()].toSorted((a, b) => Number(a) - Number(b)) : [...indexOf.keys()]
  const rankOf = new Uint32Array(values.length)
  for (const [rank, value] of values.entries()) rankOf[indexOf.get(value) ?? 0] = rank
  return {
    values,
    allIndexes: Uint32Array.from(values.keys()),
    patterns: patterns.map((indexes) => countIndexes(indexes.map((index) => rankOf[index] ?? 0))),
    weights,
    patternOf: Uint32Array.from(patternOf),
  }
}

function countIndexes(all: readonly number[]): ValuePattern {
  const times = new Map<number, number>()
  for (const index of all) times.set(index, (times.get(index) ?? 0) + 1)
  return { indexes: [...times.keys()], times: [...times.values()], size: all.length }
}
