import { checkArgument } from "../check-argument.ts"

/** The units of a sample: single values, or rows with all their values. */
export interface Units {
  readonly sums: Float64Array
  /** The number of values in each sum; null if each unit is a single value. */
  readonly sizes: Float64Array | null
}

/** Groups values into units. Values of the same cluster are one unit. */
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
    // The index of a cluster never exceeds the index that is being read, so only values that were read are overwritten.
    sums[place] = (sizes[place] ?? 0) === 0 ? value : (sums[place] ?? 0) + value
    sizes[place] = (sizes[place] ?? 0) + 1
  }
  return { sums: sums.subarray(0, places.size), sizes: sizes.subarray(0, places.size) }
}

export interface UnitMoments {
  /** The number of units. */
  readonly n: number
  readonly mean: number
  /** The exact standard deviation of the mean over all resamples. */
  readonly deviation: number
  /** The skewness of the mean over all resamples. */
  readonly skewness: number
}

/**
 * Computes mean, deviation and skewness of the mean over all possible resamples, without resampling. The moments are exact if
 * all units have one size. Else the mean is a ratio, and they are those of its linear part (Cochran 1977, section 6).
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
    n,
    mean,
    deviation: Math.sqrt(variance / n),
    skewness: variance === 0 ? 0 : cubes / n / variance ** 1.5 / Math.sqrt(n),
  }
}
