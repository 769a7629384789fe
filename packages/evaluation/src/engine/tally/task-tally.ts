import type { TaskSummary } from "../run-outcome.ts"
import { type Steps, createRowGroups } from "@assay/metrics"
import type { EvaluationRow, EvaluationSample } from "@assay/schemas"
import { type JobProgress, tokenSums } from "@assay/results"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { BoundMetric } from "@assay/scoring"
import { createMetricTally, type MetricTally } from "./metric-tally.ts"
import { createSliceTally, type SliceTally } from "./slice-tally.ts"

/** Counts the rows of a task, both those that were in the journal and those that are added to it. */
export interface TaskTally {
  /**
   * Counts a line of the journal. `due` are the metrics that the attempt still has to score for it. They are counted when the row is
   * settled; until then, a failed row counts as an error.
   */
  keep(row: EvaluationRow, due?: readonly BoundMetric[]): void
  /** Counts the result of this attempt for a row. */
  settle(row: EvaluationRow, due: readonly BoundMetric[], before: RowBefore): void
  /** The number of units that are done. */
  readonly processed: number
  readonly failed: number
  /** Of the answers to requests, and of given answers that say so. */
  readonly tokens: JobProgress["tokens"]
  /** Yields running means by `metric.score`. */
  means(): Iterable<readonly [name: string, mean: number]>
  /** Computes the summary of each score in steps. `expected` is the number of units. The order in which rows were counted does not matter. */
  summary(expected: number): Steps<TaskSummary>
}

/** The counts of a row so far. */
interface RowBefore {
  readonly hadError: boolean
  readonly hadSample: boolean
}

export function createTaskTally(task: TaskPlan): TaskTally {
  const metrics = new Map(task.metrics.map((metric) => [metric, createMetricTally(metric, task)]))
  const groups = task.clusterBy === undefined ? undefined : createRowGroups(task.clusterBy)
  const slices = createSliceTally(task)
  let processed = 0
  let failed = 0
  let tokens = tokenSums.none

  const addSample = (sample: EvaluationSample | null): void => {
    if (sample === null || (sample.usage === null && task.ask.kind === "given")) return
    tokens = tokenSums.add(tokens, tokenSums.of(sample.usage))
  }
  return {
    keep(row, due) {
      if (due === undefined) processed++
      if (row.error !== null) failed++
      addSample(row.sample)
      const group = groups?.of(row)
      slices?.addRow(row, group)
      for (const [metric, tally] of metrics) {
        if (due?.includes(metric) !== true) tally.count(row, group)
        else if (row.error !== null) tally.addError()
        slices?.addScores(row, metric)
      }
    },
    settle(row, due, { hadError, hadSample }) {
      processed++
      if (row.error !== null) failed++
      if (hadError) failed--
      if (!hadSample) addSample(row.sample)
      const group = groups?.of(row)
      slices?.addRow(row, group)
      for (const metric of due) {
        const tally = metrics.get(metric)
        if (hadError) tally?.takeErrorBack()
        tally?.count(row, group)
        slices?.addScores(row, metric)
      }
    },
    get processed() {
      return processed
    },
    get failed() {
      return failed
    },
    get tokens() {
      return tokens
    },
    *means() {
      for (const [{ key }, tally] of metrics) for (const [score, mean] of tally.means()) yield [`${key}.${score}`, mean]
    },
    summary: (expected) => summarize(task, { metrics, slices }, expected),
  }
}

function hasValues(scores: TaskSummary["metrics"][string]): boolean {
  return Object.values(scores).some(({ counts }) => counts.scored + counts.unreadable > 0)
}

/** Returns scores that apply to no row: rows that failed would not have had them. */
function withoutRows(scores: TaskSummary["metrics"][string]): TaskSummary["metrics"][string] {
  return Object.fromEntries(
    Object.entries(scores).map(([name, summary]) => {
      const { not_reached: cut } = summary.counts
      const counts = {
        scored: 0,
        unreadable: 0,
        errored: 0,
        skipped: 0,
        ...(cut === undefined ? {} : { not_reached: cut }),
      }
      return [name, { ...summary, counts }]
    }),
  )
}

interface Tallies {
  readonly metrics: ReadonlyMap<BoundMetric, MetricTally>
  readonly slices: SliceTally | undefined
}

function* summarize(task: TaskPlan, { metrics, slices }: Tallies, expected: number): Steps<TaskSummary> {
  const summaries: [string, TaskSummary["metrics"][string]][] = []
  for (const [{ key, isOptional = false }, tally] of metrics) {
    const scores = yield* tally.summaries(expected)
    summaries.push([key, isOptional && !hasValues(scores) ? withoutRows(scores) : scores])
  }
  const byMetric = Object.fromEntries(summaries)
  const all = slices === undefined ? byMetric : yield* slices.addTo(byMetric)
  return { task: task.name, group: task.group, metrics: all }
}
