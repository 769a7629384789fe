import { type Steps, stepThrough } from "../steps.ts"
import { areWithinSlices, type ClusteredValues } from "./sum-clusters.ts"

/** The units of all slices, by what each adds to the difference of its slice. */
export interface SliceUnits {
  /** The sum of each unit minus its size times the mean of all values. Their sum is 0. */
  readonly offsets: Float64Array
  /** Returns the sum of the offsets of a slice, and the number of its units. */
  of(slice: number): { readonly sum: number; readonly count: number }
}

/** Lists single values, or the clusters of values. Returns undefined if a cluster has values in several slices. */
export function* sliceUnits(
  input: Pick<ClusteredValues, "values" | "slices"> & { readonly clusters?: ArrayLike<number> | undefined },
): Steps<SliceUnits | undefined> {
  const { values, slices, clusters } = input
  if (clusters !== undefined && !areWithinSlices({ slices, clusters })) return undefined
  yield
  const { length } = values
  const sums = new Float64Array(length)
  const sizes = new Float64Array(length)
  const indexes = new Uint32Array(length)
  let total = 0
  let units = 0
  yield* stepThrough(length, (start, end) => {
    for (let at = start; at < end; at++) {
      const unit = clusters?.[at] ?? at
      const value = values[at] ?? 0
      sums[unit] = (sums[unit] ?? 0) + value
      sizes[unit] = (sizes[unit] ?? 0) + 1
      indexes[unit] = slices[at] ?? 0
      total += value
      units = Math.max(units, unit + 1)
    }
  })
  const mean = total / length
  const offsets = sums.subarray(0, units).map((sum, unit) => sum - mean * (sizes[unit] ?? 0))
  const found = new Map<number, { sum: number; count: number }>()
  yield* stepThrough(units, (start, end) => {
    for (let unit = start; unit < end; unit++) {
      const slice = found.get(indexes[unit] ?? 0) ?? { sum: 0, count: 0 }
      found.set(indexes[unit] ?? 0, slice)
      slice.sum += offsets[unit] ?? 0
      slice.count++
    }
  })
  return { offsets, of: (slice) => found.get(slice) ?? { sum: 0, count: 0 } }
}
