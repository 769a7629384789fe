import { type Stats, worstSlice } from "@assay/metrics"
import type { EvaluationConfigBody, EvaluationResult, Score, ScoreNoise, ScoreStats, ScoreValue } from "@assay/schemas"
import { scoreIdentity } from "@assay/scoring"
import type { PlanOutcome, ScoreSummary, TaskSummary } from "../progress/plan-outcome.ts"
import { isAmount, isHigherBetter, type ScoreKey } from "./list-scores.ts"

export interface ResultFacts {
  /** `evaluation_result-…` */
  readonly id: string
  /** The id of the job. */
  readonly job: string
  readonly namespace: string
  /** The address of the result files; null if they are not stored. */
  readonly filesUrl: string | null
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number
  /** Decides which scores are better if they are lower, and what gives them their meaning. */
  readonly config?: Config | undefined
}

type Config = Pick<EvaluationConfigBody, "params" | "tasks" | "type">

interface MetricScores {
  scores: Record<string, Score>
}
type ResultPart = Record<string, { metrics: Record<string, MetricScores> }>

/** Builds the result of a job from the outcome of its plan. The result of a stopped job covers what was scored until then. */
export function buildResult({ tasks }: Pick<PlanOutcome, "tasks">, facts: ResultFacts): EvaluationResult {
  return {
    id: facts.id,
    job: facts.job,
    files_url: facts.filesUrl,
    namespace: facts.namespace,
    created_at: new Date(facts.createdAt).toISOString(),
    tasks: partOf(
      tasks.filter(({ group }) => group === undefined),
      facts.config,
    ),
    groups: partOf(
      tasks.filter(({ group }) => group !== undefined),
      facts.config,
    ),
  }
}

/** Merges the tasks of one group. `Object.fromEntries` accepts any name as a key, `__proto__` too. */
function partOf(tasks: readonly TaskSummary[], config: Config | undefined): ResultPart {
  const byName = Map.groupBy(tasks, ({ task, group }) => group ?? task)
  return Object.fromEntries(
    [...byName].map(([name, of]) => {
      const metrics = of.flatMap((task) =>
        Object.entries(task.metrics).map(([metric, scores]) => {
          const found = Object.entries(scores).map(([score, summary]) => {
            const key = { task: task.task, metric, score }
            const slices = slicesOf(summary, key, config)
            return [
              score,
              { ...scoreOf(summary), ...slices, ...correctionOf(summary), ...identityOf(key, config) },
            ] as const
          })
          return [metric, { scores: Object.fromEntries(found) }] as const
        }),
      )
      return [name, { metrics: Object.fromEntries(metrics) }]
    }),
  )
}

/** Returns the slices of a score with the name of the worst. An amount, such as a number of tokens, has no worst. */
function slicesOf(
  { slices }: ScoreSummary,
  key: Parameters<typeof isAmount>[1],
  config: Config | undefined,
): Pick<Score, "slices"> {
  if (slices === undefined) return {}
  const isCounted = isAmount(config, key)
  const isBetter = isHigherBetter(config, key)
  return {
    slices: slices.map(({ column, values, groups }) => ({
      column,
      values,
      worst: isCounted ? null : worstSlice(groups, isBetter),
      groups,
    })),
  }
}

function correctionOf({ corrected, judge }: ScoreSummary): Pick<Score, "corrected" | "judge"> {
  return { ...(corrected === undefined ? {} : { corrected }), ...(judge === undefined ? {} : { judge }) }
}

function identityOf(key: ScoreKey, config: Config | undefined): Pick<Score, "identity"> {
  const identity = config === undefined ? undefined : scoreIdentity.digest(config, key)
  return identity === undefined ? {} : { identity }
}

/** Returns the value of a score, and the stats of a mean. Values that are not numbers become "NaN", which JSON can hold. */
function scoreOf(summary: ScoreSummary): Score {
  const { stats, interval } = summary
  return stats === null
    ? { value: scoreValue(summary.value), ...(interval === undefined ? {} : { interval: interval && { ...interval } }) }
    : { value: scoreValue(stats.mean), stats: statsOf(stats, summary) }
}

/** The statistics of values, without the counts of a job. */
export type DescribedStats = Omit<ScoreStats, keyof ScoreSummary["counts"] | "complete">

/** Returns statistics in the form of records. */
export function describeStats(stats: Stats): DescribedStats {
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
    ...(stats.units === undefined ? {} : { units: stats.units }),
    percentiles: Object.fromEntries(Object.entries(stats.percentiles).map(([name, at]) => [name, scoreValue(at)])),
    histogram: { bins: stats.histogram.bins.map((bin) => ({ ...bin })) },
    ...(stats.noise === undefined ? {} : { noise: noiseOf(stats.noise) }),
    interval: stats.interval === null ? null : { ...stats.interval },
  }
}

function noiseOf({ rows, between, within, widths }: NonNullable<Stats["noise"]>): ScoreNoise {
  return {
    rows,
    variance_rows: between,
    variance_answers: within,
    width_asked_once: widths.askedOnce,
    width_asked_twice: widths.askedTwice,
    width_asked_forever: widths.askedForever,
    width_spread: widths.spread,
  }
}

function statsOf(stats: Stats, { counts, labels, repeats }: ScoreSummary): ScoreStats {
  const distribution = labels ?? labelsOf(stats)
  return {
    ...describeStats(stats),
    ...(distribution === undefined ? {} : { rubric_distribution: { ...distribution } }),
    ...(repeats === undefined ? {} : { repeats: repeatsOf(repeats) }),
    ...counts,
    complete: counts.unreadable + counts.errored + counts.skipped + (counts.not_reached ?? 0) === 0,
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
    pass_at: shares.pass_at.map(scoreValue),
  }
}

function labelsOf({ rubric_distribution: counts }: Stats): Readonly<Record<string, number>> | undefined {
  return counts && Object.fromEntries(counts.map(({ label, count }) => [label, count]))
}

function scoreValue(value: ScoreValue): ScoreValue {
  return Number.isFinite(value) ? value : "NaN"
}
