import type { Stats } from "@assay/metrics"
import type { Score, ScoreStats, ScoreValue } from "@assay/schemas"
import type { ScoreSummary } from "../engine/plan-outcome.ts"

/** A score as results show it: its value, and its stats where it is a mean. What is no number is "NaN". */
export function scoreOf(summary: ScoreSummary): Score {
  const { stats } = summary
  return stats === null
    ? { value: scoreValue(summary.value) }
    : { value: scoreValue(stats.mean), stats: statsOf(stats, summary) }
}

function statsOf(stats: Stats, { counts, labels, repeats }: ScoreSummary): ScoreStats {
  const distribution = labels ?? labelsOf(stats)
  return {
    count: stats.count,
    nan_count: stats.nan_count,
    sum: scoreValue(stats.sum),
    sum_squared: scoreValue(stats.sum_squared),
    mean: scoreValue(stats.mean),
    min: scoreValue(stats.min),
    max: scoreValue(stats.max),
    variance: scoreValue(stats.variance),
    stddev: scoreValue(stats.stddev),
    stderr: scoreValue(stats.stderr),
    percentiles: Object.fromEntries(Object.entries(stats.percentiles).map(([name, at]) => [name, scoreValue(at)])),
    histogram: { bins: stats.histogram.bins.map((bin) => ({ ...bin })) },
    ...(distribution === undefined ? {} : { rubric_distribution: { ...distribution } }),
    ...(repeats === undefined ? {} : { repeats: repeatsOf(repeats) }),
    interval: stats.interval === null ? null : { ...stats.interval },
    ...counts,
    complete: counts.unreadable + counts.errored + counts.skipped === 0,
  }
}

function repeatsOf({
  repeats,
  rows,
  ...shares
}: NonNullable<ScoreSummary["repeats"]>): NonNullable<ScoreStats["repeats"]> {
  return {
    repeats,
    rows,
    pass_at_k: scoreValue(shares.pass_at_k),
    pass_pow_k: scoreValue(shares.pass_pow_k),
    majority: scoreValue(shares.majority),
    flip_rate: scoreValue(shares.flip_rate),
  }
}

function labelsOf({ rubric_distribution: counts }: Stats): Readonly<Record<string, number>> | undefined {
  return counts && Object.fromEntries(counts.map(({ label, count }) => [label, count]))
}

function scoreValue(value: ScoreValue): ScoreValue {
  return Number.isFinite(value) ? value : "NaN"
}
