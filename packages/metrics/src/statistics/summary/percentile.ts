import { checkArgument } from "../check-argument.ts"

/**
 * Returns the `p`-th percentile (0 to 100) of values in any order, `exclusive` by default. Returns NaN without values.
 * Throws `invalid_request`.
 */
export function percentile(values: ArrayLike<number>, p: number, definition?: PercentileDefinition): number {
  checkArgument(p >= 0 && p <= 100, "p", p, "a number from 0 to 100")
  const sorted = Float64Array.from(values)
  sorted.sort()
  return percentileAt((index) => sorted[index] ?? Number.NaN, sorted.length, p, definition)
}

/**
 * `exclusive`: position p/100 · (n + 1) − 1, counted from 0 and limited to the values (type 6 of Hyndman and Fan, American
 * Statistician 50, 1996). All our reports use it. `inclusive`: p/100 · (n − 1) (type 7), as NumPy and spreadsheets do.
 */
export type PercentileDefinition = "exclusive" | "inclusive"

/** Returns a percentile of `n` sorted values, and interpolates between two of them. Returns NaN without values. */
export function percentileAt(
  valueAt: (index: number) => number,
  n: number,
  p: number,
  definition: PercentileDefinition = "exclusive",
): number {
  if (n === 0) return Number.NaN
  const asked = definition === "exclusive" ? (p / 100) * (n + 1) - 1 : (p / 100) * (n - 1)
  const position = Math.min(Math.max(asked, 0), n - 1)
  const index = Math.floor(position)
  const share = position - index
  const below = valueAt(index)
  return share === 0 ? below : below + share * (valueAt(index + 1) - below)
}

export interface LatencyPercentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/**
 * Returns the 50th, 95th and 99th percentile of latencies, in the unit of the values, by the `exclusive` definition. With fewer
 * than 99 calls, p99 is the slowest of them. Returns null without a call.
 */
export function latencyPercentiles(latencies: ArrayLike<number>): LatencyPercentiles | null {
  const sorted = Float64Array.from(latencies)
  sorted.sort()
  if (sorted.length === 0) return null
  const at = (p: number) => percentileAt((index) => sorted[index] ?? Number.NaN, sorted.length, p)
  return { p50: at(50), p95: at(95), p99: at(99) }
}
