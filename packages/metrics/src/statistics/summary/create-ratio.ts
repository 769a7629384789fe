import { checkArgument } from "../check-argument.ts"
import { exactSumOf, sumOf } from "../exact/exact-sum.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { meanInterval } from "../intervals/mean-interval.ts"

/** A ratio of two sums over rows, such as log-likelihoods and words. */
export interface Ratio {
  /**
   * Adds a row. `unit` is the number of its row or group; give it for every row or for none. Rows of one unit are not independent.
   * Throws `invalid_request` if `part` is not finite, or if `size` is not a positive number.
   */
  add(part: number, size: number, unit?: number): void
  /** Returns the sum of all parts, divided by the sum of all sizes. NaN: no row was added. The order of rows does not matter. */
  result(options?: IntervalOptions): RatioEstimate
}

export interface RatioEstimate {
  readonly value: number
  /** Null if there are too few units: see `meanInterval`. */
  readonly interval: Interval | null
}

/**
 * Collects the rows of a ratio. Its interval is the one of a mean over units of several values: the standard error is that of a
 * ratio (Cochran 1977, section 6). Memory: about 60 bytes for each row.
 */
export function createRatio(): Ratio {
  const rows: { readonly part: number; readonly size: number; readonly unit: number }[] = []
  return {
    add(part, size, unit = rows.length) {
      checkArgument(Number.isFinite(part), "part", part, "a finite number")
      checkArgument(Number.isFinite(size) && size > 0, "size", size, "a positive number")
      rows.push({ part, size, unit })
    },
    result(options) {
      const units = [...Map.groupBy(rows, ({ unit }) => unit).values()].map((same) => ({
        part: sumOf(same.map(({ part }) => part)),
        size: sumOf(same.map(({ size }) => size)),
      }))
      const sums = Float64Array.from(units, ({ part }) => part)
      const sizes = Float64Array.from(units, ({ size }) => size)
      const size = sumOf(rows.map((row) => row.size))
      const value = exactSumOf(rows.map(({ part }) => part)).over(size)
      return { value, interval: meanInterval({ sums, sizes, mean: value }, options) }
    },
  }
}
