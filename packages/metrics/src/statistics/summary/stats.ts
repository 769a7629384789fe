import type { Interval } from "../intervals/interval.ts"
import { type Histogram, histogramOf } from "./histogram-of.ts"
import { percentileAt } from "./percentile.ts"

/** One label of a rubric, and the score that it stands for. */
export interface RubricLabel {
  readonly label: string
  readonly value: number
}

/** A rubric's label with how often it was given. */
export interface RubricCount extends RubricLabel {
  readonly count: number
}

const PERCENTILE_NAMES = ["p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p100"] as const

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

/** Distinct sorted values with their counts, or sorted values alone, each of which counts once. */
export interface Sorted {
  readonly values: Float64Array
  readonly counts: Float64Array | null
}

interface OtherFacts {
  readonly nanCount: number
  readonly interval: Interval | null
  readonly rubric: readonly RubricCount[] | null
  /** The clustered standard error, where rows repeat or share a group. */
  readonly stderr: number | null
}

/** The record of a score, from its sorted values and what is known besides. */
export function statsOf({ values, counts }: Sorted, { nanCount, interval, rubric, stderr }: OtherFacts): Stats {
  const countAt = (at: number) => (counts === null ? 1 : (counts[at] ?? 0))
  let [count, sum, squares] = [0, 0, 0]
  for (let at = 0; at < values.length; at++) {
    const [value, times] = [values[at] ?? 0, countAt(at)]
    count += times
    sum += value * times
    squares += value * value * times
  }
  const mean = sum / count
  let distances = 0
  for (let at = 0; at < values.length; at++) distances += ((values[at] ?? 0) - mean) ** 2 * countAt(at)
  const variance = distances / count
  const first = counts?.[0] ?? 0
  const valueAt = (place: number) => (counts === null ? values[place] : values[place < first ? 0 : 1]) ?? Number.NaN
  return {
    count,
    nan_count: nanCount,
    sum,
    sum_squared: squares,
    mean,
    min: values.at(0) ?? Number.NaN,
    max: values.at(-1) ?? Number.NaN,
    variance,
    stddev: Math.sqrt(variance),
    stderr: stderr ?? Math.sqrt(variance / (count - 1)),
    percentiles: percentilesOf(valueAt, count),
    histogram: histogramOf(values, counts ?? undefined),
    ...(rubric === null ? {} : { rubric_distribution: rubric }),
    interval,
  }
}

function percentilesOf(valueAt: (place: number) => number, n: number): Stats["percentiles"] {
  const entries = PERCENTILE_NAMES.map((name) => [name, percentileAt(valueAt, n, Number(name.slice(1)))])
  return Object.fromEntries(entries) as Stats["percentiles"]
}
