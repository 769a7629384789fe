import { formatTimestamp } from "@assay/schemas"

/** Returns the calendar month of a moment in UTC, such as `2026-11`. */
export function monthOf(moment: number): string {
  return formatTimestamp(moment).slice(0, "2026-11".length)
}

/** Returns the first moment after a month, in milliseconds since 1970, UTC. */
export function endOfMonth(month: string): number {
  const [year = 0, number = 0] = month.split("-").map(Number)
  // The months of a Date begin with 0, so this is the first day of the next one.
  return Date.UTC(year, number)
}

/** Returns the first moment of a month, in milliseconds since 1970, UTC. @param before how many months earlier. Default 0 */
export function startOfMonth(month: string, before = 0): number {
  const [year = 0, number = 0] = month.split("-").map(Number)
  return Date.UTC(year, number - 1 - before)
}
