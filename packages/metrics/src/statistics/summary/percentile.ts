import { checkArgument } from "../check-argument.ts"
import { percentileAt, type PercentileDefinition } from "./percentile-at.ts"

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
