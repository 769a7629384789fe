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

interface UnitMoments {
  readonly mean: number
  /** The exact standard deviation of the mean over all resamples. */
  readonly deviation: number
  /** The skewness of the mean over all resamples. */
  readonly skewness: number
}

/**
 * Mean, deviation and skewness that the mean has over all possible resamples of some units, without drawing one.
 * Exact where all units have one size; else the mean is a ratio, and its linear part is taken (Cochran 1977, section 6).
 */
export function unitMoments({ sums, sizes }: Units): UnitMoments {
  const n = sums.length
  const sizeOf = (at: number) => (sizes === null ? 1 : (sizes[at] ?? 0))
  let total = 0
  let count = 0
  for (let at = 0; at < n; at++) {
    total += sums[at] ?? 0
    count += sizeOf(at)
  }
  const mean = total / count
  let squares = 0
  let cubes = 0
  for (let at = 0; at < n; at++) {
    const off = (((sums[at] ?? 0) - mean * sizeOf(at)) * n) / count
    squares += off * off
    cubes += off * off * off
  }
  const variance = squares / n
  return {
    mean,
    deviation: Math.sqrt(variance / n),
    skewness: variance === 0 ? 0 : cubes / n / variance ** 1.5 / Math.sqrt(n),
  }
}
