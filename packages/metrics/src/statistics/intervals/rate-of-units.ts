import type { Interval, IntervalOptions } from "./interval.ts"
import { wilsonInterval } from "./rate-intervals.ts"
import type { UnitMoments } from "./units.ts"

/** The variance between fewer rows is too uncertain to divide by. */
const MIN_ROWS = 5

/**
 * Returns Wilson's interval of a rate over rows that may repeat. Answers to one row resemble each other, so `n` of them carry
 * less information than n rows. They count as n divided by the design effect (Kish 1965, section 5.4), and at least as the
 * number of rows. If all answers are equal, or there are too few rows to measure their similarity, the number of rows counts.
 * Returns null without values.
 */
export function rateIntervalOfUnits(
  ones: number,
  n: number,
  rows: Pick<UnitMoments, "n" | "deviation"> | null,
  options: IntervalOptions = {},
): Interval | null {
  if (n === 0) return null
  const size = rows === null ? n : effectiveSize(ones / n, n, rows)
  return wilsonInterval((ones / n) * size, size, options)
}

function effectiveSize(rate: number, n: number, { n: rows, deviation }: Pick<UnitMoments, "n" | "deviation">): number {
  if (rate === 0 || rate === 1 || rows < MIN_ROWS) return rows
  const variance = (deviation * deviation * rows) / (rows - 1)
  return Math.min(n, Math.max(rows, (rate * (1 - rate)) / variance))
}
