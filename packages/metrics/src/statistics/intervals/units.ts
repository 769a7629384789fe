import { checkArgument } from "../check-argument.ts"
import { createExactSum, type ExactSum, exactSumOf, meanOf, sumOf } from "../exact/exact-sum.ts"

/** The units of a sample: single values, or rows with all their values. */
export interface Units {
  readonly sums: Float64Array
  /** The number of values in each sum; null if each unit is a single value. */
  readonly sizes: Float64Array | null
  /** The mean of all values. Absent: it follows from the sums. They are rounded, so that it can differ in its last digit. */
  readonly mean?: number | undefined
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
  const { totals, sizes } = sumByCluster(sums, clusters)
  return { sums: Float64Array.from(totals, (total) => total.value()), sizes, mean: meanOf(sums) }
}

/** Returns the mean of each cluster, rounded once, in the order of their first values. */
export function meansByCluster(values: ArrayLike<number>, clusters: ArrayLike<number | string>): Float64Array {
  const { totals, sizes } = sumByCluster(values, clusters)
  return Float64Array.from(totals, (total, at) => total.over(sizes[at] ?? 0))
}

function sumByCluster(
  values: ArrayLike<number>,
  clusters: ArrayLike<number | string>,
): { readonly totals: readonly ExactSum[]; readonly sizes: Float64Array } {
  const indexes = new Map<number | string, number>()
  const totals: ExactSum[] = []
  const sizes = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const cluster = clusters[at] ?? ""
    const index = indexes.get(cluster) ?? indexes.size
    indexes.set(cluster, index)
    const total = (totals[index] ??= createExactSum())
    total.add(values[at] ?? 0)
    sizes[index] = (sizes[index] ?? 0) + 1
  }
  return { totals, sizes: sizes.subarray(0, indexes.size) }
}

export interface UnitMoments {
  /** The number of units. */
  readonly n: number
  readonly mean: number
  /** The exact standard deviation of the mean over all resamples. */
  readonly deviation: number
  /** The skewness of the mean over all resamples. */
  readonly skewness: number
  /** The number of units of one size with as much information: Kish, Survey Sampling (1965), section 11.7. Absent: all have one size. */
  readonly effective?: number | undefined
}

/**
 * Computes mean, deviation and skewness of the mean over all possible resamples, without resampling. The moments are exact if
 * all units have one size. Else the mean is a ratio, and they are those of its linear part (Cochran 1977, section 6).
 */
export function unitMoments({ sums, sizes, mean: known }: Units): UnitMoments {
  const scale = scaleOf(sums)
  if (scale === 1) return momentsOf({ sums, sizes, mean: known })
  const mean = known === undefined ? undefined : known / scale
  const moments = momentsOf({ sums: sums.map((sum) => sum / scale), sizes, mean })
  return { ...moments, mean: known ?? moments.mean * scale, deviation: moments.deviation * scale }
}

/** Cubes of values between these, and of their differences, neither overflow nor vanish. */
const SMALLEST = 2 ** -200
const LARGEST = 2 ** 300

/** Returns a power of two by which values can be divided so that their cubes are numbers. 1: they are. */
function scaleOf(sums: Float64Array): number {
  const largest = sums.reduce((most, sum) => Math.max(most, Math.abs(sum)), 0)
  if (largest === 0 || (largest > SMALLEST && largest < LARGEST)) return 1
  return 2 ** Math.min(1023, Math.max(-1022, Math.floor(Math.log2(largest))))
}

function momentsOf({ sums, sizes, mean: known }: Units): UnitMoments {
  const n = sums.length
  const count = sizes === null ? n : sumOf(sizes)
  const mean = known ?? exactSumOf(sums).over(count)
  const squares = createExactSum()
  const cubes = createExactSum()
  let sizeSquares = 0
  for (let at = 0; at < n; at++) {
    const size = sizes === null ? 1 : (sizes[at] ?? 0)
    const off = (((sums[at] ?? 0) - mean * size) * n) / count
    squares.add(off * off)
    cubes.add(off * off * off)
    sizeSquares += size * size
  }
  const variance = squares.value() / n
  return {
    n,
    mean,
    deviation: Math.sqrt(variance / n),
    skewness: variance === 0 ? 0 : cubes.value() / n / variance ** 1.5 / Math.sqrt(n),
    ...(sizes === null ? {} : { effective: (count * count) / sizeSquares }),
  }
}
