import { createExactSquares, varianceOf } from "../exact/exact-squares.ts"
import type { ExactSum } from "../exact/exact-sum.ts"
import type { Interval } from "../intervals/interval.ts"
import type { Units } from "../intervals/units.ts"
import { splitVariance, type VarianceParts } from "../repeats/variance-parts.ts"
import { percentileAt } from "./percentile.ts"
import { stepThrough, type Steps } from "../steps.ts"

/** A label of a rubric and its score. */
export interface RubricLabel {
  readonly label: string
  readonly value: number
}

/** A label of a rubric and how often it was given. */
export interface RubricCount extends RubricLabel {
  readonly count: number
}

const PERCENTILE_NAMES = ["p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p100"] as const

/** The statistics of one score over all rows. A number that is not defined is NaN, such as the mean of no values. */
export interface Stats {
  /** The number of finite values. All other statistics are about these. */
  readonly count: number
  /** The number of other values: NaN and infinite ones. */
  readonly nan_count: number
  readonly sum: number
  readonly sum_squared: number
  readonly mean: number
  readonly min: number
  readonly max: number
  /** The variance of the population: the mean squared distance from the mean. Mean and variance are exact and rounded once. */
  readonly variance: number
  readonly stddev: number
  /**
   * The standard error of the mean: the sample's standard deviation (n − 1) / √n. If rows repeat or share a group, the clustered
   * standard error (Cochran 1977, section 6). NaN for fewer than two values or groups.
   */
  readonly stderr: number
  /** The number of rows or groups of one size with as much information as these (Kish 1965). Absent: each value is a row of its own. */
  readonly units?: number
  /** By the `exclusive` definition: position p/100 · (n + 1) − 1. */
  readonly percentiles: Readonly<Record<(typeof PERCENTILE_NAMES)[number], number>>
  readonly histogram: Histogram
  readonly rubric_distribution?: readonly RubricCount[]
  /** Present if rows were asked several times. */
  readonly noise?: VarianceParts
  /** The interval of the true mean. Null if no interval is valid. */
  readonly interval: Interval | null
}

/** Distinct sorted values with their counts; or all sorted values, without counts. */
export interface Sorted {
  readonly values: Float64Array
  readonly counts: Float64Array | null
}

interface OtherFacts {
  readonly nanCount: number
  readonly sum: ExactSum
  readonly interval: Interval | null
  readonly rubric: readonly RubricCount[] | null
  /** The clustered standard error if rows repeat or share a group, else null. */
  readonly stderr: number | null
  /** The number of rows or groups of one size with as much information, if rows repeat or share a group, else null. */
  readonly units: number | null
  /** The rows with their values, if rows repeat. */
  readonly repeated: Units | null
}

/** Computes the statistics of a score from its sorted values. */
export function* statsOf(
  { values, counts }: Sorted,
  { nanCount, sum, interval, rubric, stderr, units, repeated }: OtherFacts,
): Steps<Stats> {
  const countAt = (at: number) => (counts === null ? 1 : (counts[at] ?? 0))
  const squares = createExactSquares()
  let count = 0
  yield* stepThrough(values.length, (start, end) => {
    for (let at = start; at < end; at++) {
      count += countAt(at)
      // Zeros and ones, which are counted, are their own squares.
      if (counts === null) squares.add(values[at] ?? 0)
    }
  })
  if (counts !== null) squares.addSum(sum)
  const variance = varianceOf(sum, squares, count)
  const noise = repeated === null ? null : splitVariance(repeated, squares.value())
  yield
  const first = counts?.[0] ?? 0
  const valueAt = (index: number) => (counts === null ? values[index] : values[index < first ? 0 : 1]) ?? Number.NaN
  return {
    count,
    nan_count: nanCount,
    sum: sum.value(),
    sum_squared: squares.value(),
    mean: sum.over(count),
    min: values.at(0) ?? Number.NaN,
    max: values.at(-1) ?? Number.NaN,
    variance,
    stddev: Math.sqrt(variance),
    stderr: stderr ?? Math.sqrt(variance / (count - 1)),
    ...(units === null ? {} : { units }),
    percentiles: percentilesOf(valueAt, count),
    histogram: histogramOf(values, counts ?? undefined),
    ...(rubric === null ? {} : { rubric_distribution: rubric }),
    ...(noise === null ? {} : { noise }),
    interval,
  }
}

function percentilesOf(valueAt: (index: number) => number, n: number): Stats["percentiles"] {
  const entries = PERCENTILE_NAMES.map((name) => [name, percentileAt(valueAt, n, Number(name.slice(1)))])
  return Object.fromEntries(entries) as Stats["percentiles"]
}

export interface HistogramBin {
  readonly lower_bound: number
  readonly upper_bound: number
  readonly count: number
}

/** Ten bins of equal width from the smallest to the largest value. One bin if all values are equal, and none without values. */
export interface Histogram {
  readonly bins: readonly HistogramBin[]
}

const BINS = 10

/**
 * Counts sorted values in ten bins of equal width. A bin includes its lower bound, and the last bin both bounds. If all values
 * are equal, there is one bin without width.
 */
function histogramOf(sorted: ArrayLike<number>, counts?: ArrayLike<number>): Histogram {
  const min = sorted[0]
  const max = sorted[sorted.length - 1]
  if (min === undefined || max === undefined) return { bins: [] }
  const timesAt = (at: number) => (counts === undefined ? 1 : (counts[at] ?? 0))
  // Each bound is divided on its own, because the distance of two finite numbers can be infinite.
  const width = max / BINS - min / BINS
  if (width === 0) {
    const count = Array.from({ length: sorted.length }, (_, at) => timesAt(at)).reduce((sum, times) => sum + times, 0)
    return { bins: [{ lower_bound: min, upper_bound: max, count }] }
  }
  const filled = new Float64Array(BINS)
  for (let at = 0; at < sorted.length; at++) {
    const bin = Math.min(BINS - 1, Math.floor(((sorted[at] ?? min) - min) / width))
    filled[bin] = (filled[bin] ?? 0) + timesAt(at)
  }
  const bound = (bin: number) => (bin === BINS ? max : min + bin * width)
  return {
    bins: Array.from(filled, (count, bin) => ({ lower_bound: bound(bin), upper_bound: bound(bin + 1), count })),
  }
}
