import type { Interval } from "../intervals/interval.ts"
import type { Histogram } from "./histogram-of.ts"

/** One label of a rubric, and the score that it stands for. */
export interface RubricLabel {
  readonly label: string
  readonly value: number
}

/** A rubric's label with how often it was given. */
export interface RubricCount extends RubricLabel {
  readonly count: number
}

export const PERCENTILE_NAMES = ["p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p100"] as const

/** What is known of one score over all rows. A number that nothing can be said of is NaN: the mean of no values. */
export interface Stats {
  /** The values that are numbers; all else is about them alone. */
  readonly count: number
  /** The values that are not: NaN, and infinite ones. */
  readonly nan_count: number
  readonly sum: number
  readonly sum_squared: number
  readonly mean: number
  readonly min: number
  readonly max: number
  /** Of the population: the mean squared distance from the mean. */
  readonly variance: number
  readonly stddev: number
  /**
   * The sample's standard deviation (n − 1) / √n. Where rows repeat or share a group, the clustered standard error of the mean
   * (Cochran 1977, section 6). NaN for fewer than two values or groups.
   */
  readonly stderr: number
  /** By the `exclusive` definition: position p/100 · (n + 1) − 1. */
  readonly percentiles: Readonly<Record<(typeof PERCENTILE_NAMES)[number], number>>
  readonly histogram: Histogram
  readonly rubric_distribution?: readonly RubricCount[]
  /** Where the true mean lies; null where no interval is valid. */
  readonly interval: Interval | null
}
