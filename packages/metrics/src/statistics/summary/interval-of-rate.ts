import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { unitMoments, type Units } from "../intervals/units.ts"
import { wilsonInterval } from "../intervals/rate-intervals.ts"

/** Of fewer rows the variance between them is too uncertain to divide by. */
const FEWEST_ROWS = 5

/**
 * Wilson's interval of a rate over rows that may repeat. Answers to one row resemble each other, so `n` of them say less
 * than n rows would: they count as n divided by the design effect (Kish 1965, section 5.4), never as fewer than there are
 * rows. Where all answers are the same, or there are too few rows to see how alike answers are, the rows count. Null without
 * values.
 */
export function intervalOfRate(
  ones: number,
  n: number,
  rows: Units | null,
  options: IntervalOptions = {},
): Interval | null {
  if (n === 0) return null
  const size = rows === null ? n : effectiveSize(ones / n, n, rows)
  return wilsonInterval((ones / n) * size, size, options)
}

function effectiveSize(rate: number, n: number, units: Units): number {
  const rows = units.sums.length
  const { deviation } = unitMoments(units)
  if (rate === 0 || rate === 1 || rows < FEWEST_ROWS) return rows
  const variance = (deviation * deviation * rows) / (rows - 1)
  return Math.min(n, Math.max(rows, (rate * (1 - rate)) / variance))
}
