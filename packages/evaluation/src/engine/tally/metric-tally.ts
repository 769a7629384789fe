import type { ScoreSummary } from "../run-outcome.ts"
import type { Steps } from "@assay/metrics"
import type { EvaluationRow } from "@assay/schemas"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { BoundMetric } from "@assay/scoring"
import { createScoreTally, type ScoreTally } from "./score-tally.ts"

/** Counts the scores of a metric over the rows of a task. */
export interface MetricTally {
  /** Counts the scores of a row, or an error if the row failed and has none. `group` is the number of the row's group, if rows have groups. */
  count(row: EvaluationRow, group: number | undefined): void
  addError(): void
  /** Removes one error from the count, because its row is tried again. */
  takeErrorBack(): void
  /** Computes the summary of each score in steps. `expected` is the number of units. */
  summaries(expected: number): Steps<Readonly<Record<string, ScoreSummary>>>
  /** Yields the running mean of each score. */
  means(): Iterable<readonly [score: string, mean: number]>
}

export function createMetricTally(metric: BoundMetric, task: TaskPlan): MetricTally {
  const { repeats } = task
  const { key } = metric
  const corpus = Object.entries(metric.createCorpusScores?.() ?? {})
  const isOfCorpus = new Set(corpus.map(([name]) => name))
  const names = metric.scores.filter((name) => !isOfCorpus.has(name))
  const tallies = names.map((name): readonly [string, ScoreTally] => [name, tallyOf(metric, name, task)])
  let counted = 0
  let errored = 0
  let notReached = 0
  let partlyReached = 0
  const reached = () => ({
    ...(notReached === 0 ? {} : { not_reached: notReached }),
    ...(partlyReached === 0 ? {} : { partly_reached: partlyReached }),
  })

  return {
    count(row, group) {
      if (row.error === null && metric.isCut?.({ end: row.sample?.end, turns: row.turns ?? [] }) === true) {
        notReached++
        if (Object.keys(row.scores[key] ?? {}).length > 0) partlyReached++
      }
      const scores = row.scores[key]
      if (scores === undefined) {
        if (row.error !== null) errored++
        return
      }
      counted++
      const labels = row.labels?.[key]
      for (const [name, tally] of tallies) tally.add(scores[name], row.row_index, { label: labels?.[name], group })
      if (row.sample === null) return
      const unit = group ?? (repeats > 1 ? row.row_index : undefined)
      for (const [, score] of corpus) score.add({ item: row.item, sample: row.sample }, scores, unit)
    },
    addError() {
      errored++
    },
    takeErrorBack() {
      errored--
    },
    *summaries(expected) {
      const skipped = Math.max(0, expected - counted - errored)
      const counts = { scored: counted, unreadable: 0, errored, skipped }
      const summaries: [string, ScoreSummary][] = []
      for (const [name, tally] of tallies)
        summaries.push([name, yield* summaryOf(tally, { expected, errored, ...reached() })])
      for (const [name, score] of corpus) {
        const interval = score.interval?.()
        const given = interval === undefined ? {} : { interval }
        summaries.push([name, { stats: null, value: score.value(), counts, ...given }])
        yield
      }
      return Object.fromEntries(summaries)
    },
    *means() {
      for (const [name, tally] of tallies) if (tally.scored > 0) yield [name, tally.mean()]
    },
  }
}

function tallyOf(metric: BoundMetric, score: string, { repeats, clusterBy }: TaskPlan): ScoreTally {
  return createScoreTally({
    repeats,
    isGrouped: clusterBy !== undefined,
    labels: metric.labels?.[score],
    isAmount: metric.isAmount,
    range: metric.ranges?.[score],
  })
}

interface UnitCounts {
  readonly expected: number
  readonly errored: number
  readonly not_reached?: number
  readonly partly_reached?: number
}

function* summaryOf(tally: ScoreTally, { expected, errored, ...reached }: UnitCounts): Steps<ScoreSummary> {
  const { scored, unreadable } = tally
  const stats = yield* tally.stats()
  const skipped = Math.max(0, expected - scored - unreadable - errored - tally.leftOut)
  const labels = tally.labels()
  const repeated = tally.repeats()
  yield
  return {
    stats,
    value: Number.isNaN(stats.mean) ? "NaN" : stats.mean,
    counts: { scored, unreadable, errored, skipped, ...reached },
    ...(labels === undefined ? {} : { labels }),
    ...(repeated === undefined ? {} : { repeats: repeated }),
  }
}
