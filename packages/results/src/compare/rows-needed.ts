/** A paired difference with its interval, and the limit that it is compared with. */
export interface Undecided {
  readonly rows: number
  readonly difference: number
  readonly interval: { readonly low: number; readonly high: number } | null
  /** The difference at which the verdict changes. */
  readonly limit: number
}

/** More rows than this are not advised. */
const MOST_ROWS = 1_000_000_000

/**
 * Returns the number of rows at which the interval would leave the limit, if further rows differ as these do: the width of an
 * interval shrinks with the square root of the number of rows. Returns null if there is no interval, or if the difference is
 * the limit itself.
 */
export function rowsNeeded({ rows, difference, interval, limit }: Undecided): number | null {
  if (interval === null) return null
  const reach = difference > limit ? difference - interval.low : interval.high - difference
  const needed = Math.ceil(rows * Math.max(1, (reach / Math.abs(difference - limit)) ** 2))
  return needed <= MOST_ROWS ? needed : null
}
