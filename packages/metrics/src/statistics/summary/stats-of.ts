import type { Interval } from "../intervals/interval.ts"
import { histogramOf } from "./histogram-of.ts"
import { percentileAt } from "./percentile-at.ts"
import { PERCENTILE_NAMES, type RubricCount, type Stats } from "./stats.ts"

/** Distinct sorted values with their counts, or sorted values alone, each of which counts once. */
export interface Sorted {
  readonly values: Float64Array
  readonly counts: Float64Array | null
}

export interface OtherFacts {
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
