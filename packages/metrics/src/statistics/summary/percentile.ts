import { checkArgument } from "../check-argument.ts"

/**
 * The `p`-th percentile, 0 to 100, of values in any order, `exclusive` when no definition is given. NaN without values.
 * Throws `invalid_request`.
 */
export function percentile(values: ArrayLike<number>, p: number, definition?: PercentileDefinition): number {
  checkArgument(p >= 0 && p <= 100, "p", p, "a number from 0 to 100")
  const sorted = Float64Array.from(values)
  sorted.sort()
  return percentileAt((place) => sorted[place] ?? Number.NaN, sorted.length, p, definition)
}

/**
 * `exclusive`: position p/100 · (n + 1) − 1, counted from 0 and kept within the values (type 6 of Hyndman and Fan, American
 * Statistician 50, 1996); what all our reports use. `inclusive`: p/100 · (n − 1) (type 7), as NumPy and spreadsheets do.
 */
export type PercentileDefinition = "exclusive" | "inclusive"

/** A percentile of `n` sorted values that are read one by one; between two of them in proportion. NaN without values. */
export function percentileAt(
  valueAt: (place: number) => number,
  n: number,
  p: number,
  definition: PercentileDefinition = "exclusive",
): number {
  if (n === 0) return Number.NaN
  const asked = definition === "exclusive" ? (p / 100) * (n + 1) - 1 : (p / 100) * (n - 1)
  const position = Math.min(Math.max(asked, 0), n - 1)
  const place = Math.floor(position)
  const share = position - place
  const below = valueAt(place)
  return share === 0 ? below : below + share * (valueAt(place + 1) - below)
}

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
