import { checkArgument } from "../check-argument.ts"

/** What is drawn in a resample: single values, or rows with all the values that belong to them. */
export interface Units {
  readonly sums: Float64Array
  /** How many values each sum is of; null where each is of one. */
  readonly sizes: Float64Array | null
}

/** Puts values into the units that are drawn together. Values with the same cluster are one unit. */
export function unitsOf(values: ArrayLike<number>, clusters?: ArrayLike<number | string>): Units {
  const sums = Float64Array.from(values)
  checkArgument(
    sums.every((value) => Number.isFinite(value)),
    "values",
    sums.find((value) => !Number.isFinite(value)),
    "finite numbers, and count the others apart",
  )
  if (clusters === undefined) return { sums, sizes: null }
  checkArgument(
    clusters.length === sums.length,
    "clusters",
    clusters.length,
    `one for each of the ${sums.length} values`,
  )
  const places = new Map<number | string, number>()
  const sizes = new Float64Array(sums.length)
  for (let at = 0; at < sums.length; at++) {
    const cluster = clusters[at] ?? ""
    const place = places.get(cluster) ?? places.size
    places.set(cluster, place)
    const value = sums[at] ?? 0
    // A cluster's place is never behind the value that is being read, so what was written over has been read.
    sums[place] = (sizes[place] ?? 0) === 0 ? value : (sums[place] ?? 0) + value
    sizes[place] = (sizes[place] ?? 0) + 1
  }
  return { sums: sums.subarray(0, places.size), sizes: sizes.subarray(0, places.size) }
}
