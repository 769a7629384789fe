import { percentileAt } from "./percentile-at.ts"

export interface LatencyPercentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/**
 * What half, 95 % and 99 % of the calls stay within, in the unit of the values, by the `exclusive` definition: with fewer
 * than 99 calls, p99 is the slowest of them. Null without a call.
 */
export function latencyPercentiles(latencies: ArrayLike<number>): LatencyPercentiles | null {
  const sorted = Float64Array.from(latencies)
  sorted.sort()
  if (sorted.length === 0) return null
  const at = (p: number) => percentileAt((place) => sorted[place] ?? Number.NaN, sorted.length, p)
  return { p50: at(50), p95: at(95), p99: at(99) }
}
