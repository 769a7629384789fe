import { studentQuantile } from "../distributions/beta-distribution.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "./interval.ts"
import { wilsonInterval } from "./rate-intervals.ts"
import type { UnitMoments } from "./units.ts"

/** With fewer rows or groups of the rarer answer, their variance is too uncertain: it can be much too small by chance. */
const MIN_RARER_ROWS = 15

/**
 * Returns Wilson's interval of a rate over rows that may repeat. Answers to one row resemble each other, so `n` of them give less information than
 * n rows. They count as the {@link effectiveSize}. Returns null without values.
 */
export function rateIntervalOfUnits(
  ones: number,
  n: number,
  rows: UnitMoments | null,
  options: IntervalOptions = {},
): Interval | null {
  if (n === 0) return null
  const size = rows === null ? n : effectiveSize(ones / n, n, { rows, options })
  return wilsonInterval((ones / n) * size, size, options)
}

/**
 * Returns the number of independent answers that say as much about a rate as `n` answers to rows that repeat: n divided by the design effect
 * (Kish, Survey Sampling (1965), section 5.4), and with the correction for the degrees of freedom of few rows (Korn and Graubard, Survey
 * Methodology 24 (1998), 193–201).
 *
 * It is at least the number of rows, or fewer if their sizes differ, and at most n. If all answers are equal, or there are too few rows to measure
 * their similarity, it is that number.
 */
function effectiveSize(
  rate: number,
  n: number,
  { rows, options }: { readonly rows: UnitMoments; readonly options: IntervalOptions },
): number {
  const { n: count, deviation, effective = count } = rows
  const least = Math.min(n, effective)
  if (effective * Math.min(rate, 1 - rate) < MIN_RARER_ROWS) return least
  const variance = (deviation * deviation * count) / (count - 1)
  const p = 0.5 + (options.confidence ?? 0.95) / 2
  const correction = (normalQuantile(p) / studentQuantile(p, Math.max(1, effective - 1))) ** 2
  return Math.min(n, Math.max(least, ((rate * (1 - rate)) / variance) * correction))
}
