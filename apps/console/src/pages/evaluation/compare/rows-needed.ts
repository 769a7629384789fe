/** A paired difference with its interval, and the limit that it is compared with. */
export interface Undecided {
  readonly rows: number
  readonly difference: number
  readonly low: number
  readonly high: number
  /** The difference below which the verdict is FAIL. */
  readonly limit: number
}

/**
 * Returns the number of rows at which the interval would leave the limit, if further rows differ as these do: the width of an
 * interval shrinks with the square root of the number of rows. Returns undefined if the difference is the limit itself.
 */
export function rowsNeeded({ rows, difference, low, high, limit }: Undecided): number | undefined {
  const distance = Math.abs(difference - limit)
  if (distance === 0) return undefined
  const reach = difference > limit ? difference - low : high - difference
  return Math.ceil(rows * Math.max(1, (reach / distance) ** 2))
}
