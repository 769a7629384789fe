import type { Units } from "./units.ts"

export interface UnitMoments {
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
