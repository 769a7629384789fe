import { ITEMS_PER_STEP, type Steps, stepThrough } from "../steps.ts"
import type { UnitSums } from "./unit-sums.ts"

export interface ClusteredValues {
  readonly values: ArrayLike<number>
  /** The number of each value's slice. */
  readonly slices: ArrayLike<number>
  /** The number of each value's cluster, from 0 without gaps. */
  readonly clusters: ArrayLike<number>
}

export interface SliceSums {
  readonly own: readonly UnitSums[]
  /** All values that are not in the slice. Undefined if every cluster is within one slice: then the sums of the other slices give them. */
  readonly rests: readonly UnitSums[] | undefined
}

/** Adds the values of each cluster as one unit: to the slices that it has values in, and to the rests of all slices. */
export function* sumClusters(input: ClusteredValues, { own, rests }: SliceSums): Steps<void> {
  const { values, slices, clusters } = input
  const { ends, indexes } = yield* orderByCluster(clusters)
  const sums = new Float64Array(own.length)
  const sizes = new Float64Array(own.length)
  let left = ITEMS_PER_STEP
  let start = 0
  for (const end of ends) {
    const found: number[] = []
    let total = 0
    for (let at = start; at < end; at++) {
      const index = indexes[at] ?? 0
      const slice = slices[index] ?? 0
      const value = values[index] ?? 0
      if (sizes[slice] === 0) found.push(slice)
      sizes[slice] = (sizes[slice] ?? 0) + 1
      sums[slice] = (sums[slice] ?? 0) + value
      total += value
    }
    const size = end - start
    for (const slice of found) own[slice]?.add(sums[slice] ?? 0, sizes[slice] ?? 0)
    if (rests !== undefined && size > 0) {
      for (const [slice, rest] of rests.entries()) {
        const others = size - (sizes[slice] ?? 0)
        if (others === 0) continue
        const isWhole = others === size
        rest.add(isWhole ? total : sumOthers(input, indexes.subarray(start, end), slice), others)
        left -= isWhole ? 1 : size
      }
    }
    for (const slice of found) sums[slice] = sizes[slice] = 0
    left -= size
    start = end
    if (left > 0) continue
    left = ITEMS_PER_STEP
    yield
  }
}

/** Adds up the values that are not in a slice. */
function sumOthers({ values, slices }: ClusteredValues, indexes: Uint32Array, slice: number): number {
  let sum = 0
  for (const index of indexes) if (slices[index] !== slice) sum += values[index] ?? 0
  return sum
}

/** Returns the indexes of all values, one cluster after the other, and where the indexes of each cluster end. */
function* orderByCluster(
  clusters: ArrayLike<number>,
): Steps<{ readonly ends: Uint32Array; readonly indexes: Uint32Array }> {
  const { length } = clusters
  // There are at most as many clusters as values.
  const ends = new Uint32Array(length)
  yield* stepThrough(length, (from, to) => {
    for (let at = from; at < to; at++) ends[clusters[at] ?? 0] = (ends[clusters[at] ?? 0] ?? 0) + 1
  })
  let start = 0
  yield* stepThrough(length, (from, to) => {
    for (let cluster = from; cluster < to; cluster++) {
      const size = ends[cluster] ?? 0
      ends[cluster] = start
      start += size
    }
  })
  const indexes = new Uint32Array(length)
  yield* stepThrough(length, (from, to) => {
    for (let at = from; at < to; at++) {
      const index = ends[clusters[at] ?? 0] ?? 0
      indexes[index] = at
      ends[clusters[at] ?? 0] = index + 1
    }
  })
  return { ends, indexes }
}

/** Returns whether no cluster has values in several slices. */
export function areWithinSlices({ slices, clusters }: Omit<ClusteredValues, "values">): boolean {
  /** One more than the slice of each cluster. */
  const found = new Uint32Array(clusters.length)
  for (let at = 0; at < clusters.length; at++) {
    const cluster = clusters[at] ?? 0
    const slice = (slices[at] ?? 0) + 1
    const known = found[cluster] ?? 0
    if (known !== 0 && known !== slice) return false
    found[cluster] = slice
  }
  return true
}
