import type { Interval } from "./interval.ts"

/** A mean with its interval. */
export interface EstimatedMean {
  readonly mean: number
  readonly interval: Pick<Interval, "low" | "high" | "confidence"> | null
}

/** A difference of two means. */
export interface MeanDifference {
  /** The first minus the second. */
  readonly difference: number
  readonly interval: Interval | null
}

/**
 * Returns the difference of two means of independent rows with its interval, which the intervals of both give. If they have as large a confidence as they say, so has it.
 * For means over the same rows, it is wider than needed.
 * Source: Zou and Donner, Statistics in Medicine 27 (2008), 1693–1702 (MOVER).
 */
export function meanDifference(a: EstimatedMean, b: EstimatedMean): MeanDifference {
  const difference = a.mean - b.mean
  if (a.interval === null || b.interval === null) return { difference, interval: null }
  const reach = (one: number, other: number) => Math.sqrt(one ** 2 + other ** 2)
  return {
    difference,
    interval: {
      low: difference - reach(a.mean - a.interval.low, b.interval.high - b.mean),
      high: difference + reach(a.interval.high - a.mean, b.mean - b.interval.low),
      confidence: a.interval.confidence,
      method: "combined-intervals",
    },
  }
}
