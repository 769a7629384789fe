import type { Random } from "../create-random.ts"
import type { Units } from "./units.ts"

/** The sorted means of `resamples` samples, each as many units as there are, drawn with replacement. */
export function resampleMeans({ sums, sizes }: Units, random: Random, resamples: number): Float64Array {
  const means = new Float64Array(resamples)
  const n = sums.length
  for (let resample = 0; resample < resamples; resample++) {
    let sum = 0
    let count = sizes === null ? n : 0
    for (let draw = 0; draw < n; draw++) {
      const place = Math.floor(random() * n)
      sum += sums[place] ?? 0
      if (sizes !== null) count += sizes[place] ?? 0
    }
    means[resample] = sum / count
  }
  means.sort()
  return means
}
