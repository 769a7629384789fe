import type { TalliedSlices, TaskSummary } from "../run-outcome.ts"
import {
  type ComparedSlice,
  compareSlicesInSteps,
  markSlices,
  type Steps,
  stepThrough,
  createRowValues,
  type RowValues,
} from "@assay/metrics"
import type { EvaluationRow, Slice, SliceDifference } from "@assay/schemas"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { BoundMetric } from "@assay/scoring"
import { createSliceColumn, type SlicedRows } from "./slice-column.ts"

/**
 * Separates the scores of a task by the values of columns. The order in which rows are added does not matter, so that one worker and
 * many get the same numbers. Memory: 8 bytes for each row, repeat and score, and 2 for each row and column.
 */
export interface SliceTally {
  /** Notes a row and the number of its group, if rows have groups. */
  addRow(row: EvaluationRow, group: number | undefined): void
  /** Notes the scores of a metric for a row. Later ones replace earlier ones. */
  addScores(row: EvaluationRow, metric: BoundMetric): void
  /** Adds slices to the summaries of all metrics, in steps. Scores over all rows at once have none. */
  addTo(metrics: TaskSummary["metrics"]): Steps<TaskSummary["metrics"]>
}

/** Marks a unit whose score is unreadable. */
const UNREADABLE = Number.POSITIVE_INFINITY
/** Marks a unit whose row failed. */
const ERRORED = Number.NEGATIVE_INFINITY

/** Returns undefined if scores are not separated. */
export function createSliceTally({ slices: columns = [], repeats, clusterBy }: TaskPlan): SliceTally | undefined {
  if (columns.length === 0) return undefined
  const byColumn = columns.map((column) => ({ column, noted: createSliceColumn(column) }))
  const groups = clusterBy === undefined ? undefined : createRowValues()
  const byMetric = new Map<string, NotedMetric>()

  const valuesOf = ({ key, isAmount = false }: BoundMetric, score: string): RowValues => {
    const metric = byMetric.get(key) ?? { isAmount, scores: new Map<string, RowValues>() }
    byMetric.set(key, metric)
    const values = metric.scores.get(score) ?? createRowValues()
    metric.scores.set(score, values)
    return values
  }
  return {
    addRow(row, group) {
      for (const { noted } of byColumn) noted.add(row)
      if (group !== undefined) groups?.set(row.row_index, 0, group)
    },
    addScores(row, metric) {
      const found = row.scores[metric.key]
      if (found === undefined && row.error === null) return
      for (const score of metric.scores) {
        const value = found === undefined ? ERRORED : found[score]
        // An undefined value does not apply to this row.
        const number =
          value === undefined ? Number.NaN : value === ERRORED || Number.isFinite(value) ? value : UNREADABLE
        valuesOf(metric, score).set(row.row_index, row.repeat, Number(number))
      }
    },
    *addTo(metrics) {
      const sliced: SlicedColumn[] = []
      for (const { column, noted } of byColumn) {
        sliced.push({ column, rows: noted.result() })
        yield
      }
      const isClustered = repeats > 1 || groups !== undefined
      const clusterOf = isClustered ? (row: number) => groups?.get(row, 0) ?? row : undefined
      const found = yield* sliceScores(metrics, { sliced, byMetric, clusterOf })
      return withSlices(metrics, markDifferences(found))
    },
  }
}

interface SlicedColumn {
  readonly column: string
  readonly rows: SlicedRows
}

/** The scores of a metric, by their names. */
interface NotedMetric {
  readonly isAmount: boolean
  readonly scores: Map<string, RowValues>
}

/** Everything that was noted of the rows of a task. */
interface NotedTask {
  readonly sliced: readonly SlicedColumn[]
  readonly byMetric: ReadonlyMap<string, NotedMetric>
  /** Undefined if each unit is a cluster of its own. */
  readonly clusterOf: ((row: number) => number) | undefined
}

type TaskMetrics = TaskSummary["metrics"]

/** Returns the slices of each score, by its summary. */
function* sliceScores(
  metrics: TaskMetrics,
  { sliced, byMetric, clusterOf }: NotedTask,
): Steps<ReadonlyMap<object, readonly TalliedSlices[]>> {
  const found = new Map<object, readonly TalliedSlices[]>()
  for (const [metric, scores] of Object.entries(metrics)) {
    const { isAmount = false, scores: kept } = byMetric.get(metric) ?? {}
    for (const [score, summary] of Object.entries(scores)) {
      const values = kept?.get(score)
      if (summary.stats === null || values === undefined) continue
      const units = yield* listUnits(values, clusterOf)
      const slices: TalliedSlices[] = []
      for (const { column, rows } of sliced) {
        slices.push({ column, values: rows.values, groups: yield* slicesOf(units, rows, isAmount) })
      }
      found.set(summary, slices)
    }
  }
  return found
}

function withSlices(metrics: TaskMetrics, found: ReadonlyMap<object, readonly TalliedSlices[]>): TaskMetrics {
  return Object.fromEntries(
    Object.entries(metrics).map(([metric, scores]) => [
      metric,
      Object.fromEntries(
        Object.entries(scores).map(([score, summary]) => {
          const slices = found.get(summary)
          return [score, slices === undefined ? summary : { ...summary, slices }] as const
        }),
      ),
    ]),
  )
}

/** The units of a score in the order of their rows. */
interface ScoredUnits {
  readonly rows: Uint32Array
  readonly values: Float64Array
  /** Of units with a number. Undefined if each unit is a cluster of its own. */
  readonly clusters: Uint32Array | undefined
}

/** Lists the value of each unit. Clusters of numbers are numbered in the order of the rows, whichever was scored first, without gaps. */
function* listUnits(found: RowValues, clusterOf: ((row: number) => number) | undefined): Steps<ScoredUnits> {
  const all = found.rows * found.repeats
  const rows = new Uint32Array(all)
  const values = new Float64Array(all)
  const clusters = clusterOf === undefined ? undefined : new Uint32Array(all)
  const numbers = new Map<number, number>()
  let count = 0
  const addUnit = (row: number, repeat: number): void => {
    const value = found.get(row, repeat)
    if (Number.isNaN(value)) return
    rows[count] = row
    values[count] = value
    if (clusters !== undefined && clusterOf !== undefined && Number.isFinite(value)) {
      const cluster = clusterOf(row)
      const number = numbers.get(cluster) ?? numbers.size
      numbers.set(cluster, number)
      clusters[count] = number
    }
    count++
  }
  yield* stepThrough(found.rows, (start, end) => {
    for (let row = start; row < end; row++) {
      for (let repeat = 0; repeat < found.repeats; repeat++) addUnit(row, repeat)
    }
  })
  return { rows: rows.subarray(0, count), values: values.subarray(0, count), clusters: clusters?.subarray(0, count) }
}

function* slicesOf(
  { rows, values, clusters }: ScoredUnits,
  { slices, sliceOf }: SlicedRows,
  isAmount: boolean,
): Steps<Slice[]> {
  const counts = slices.map(() => ({ unreadable: 0, errored: 0 }))
  const { length } = values
  const scored = {
    values: new Float64Array(length),
    slices: new Uint32Array(length),
    clusters: new Uint32Array(length),
  }
  let found = 0
  const addUnit = (at: number): void => {
    const value = values[at] ?? 0
    const slice = sliceOf(rows[at] ?? 0)
    const count = counts[slice]
    if (Number.isFinite(value)) {
      scored.values[found] = value
      scored.slices[found] = slice
      scored.clusters[found++] = clusters?.[at] ?? 0
    } else if (count !== undefined && value === ERRORED) count.errored++
    else if (count !== undefined) count.unreadable++
  }
  yield* stepThrough(length, (start, end) => {
    for (let at = start; at < end; at++) addUnit(at)
  })
  const input = {
    values: scored.values.subarray(0, found),
    slices: scored.slices.subarray(0, found),
    clusters: clusters && scored.clusters.subarray(0, found),
    isAmount,
  }
  const compared = yield* compareSlicesInSteps(input, slices.length)
  return slices.map((slice, at) => ({ ...slice, ...describeSlice(compared[at], counts[at]) }))
}

function describeSlice(
  found: ComparedSlice | undefined,
  counts: Pick<Slice, "unreadable" | "errored"> = { unreadable: 0, errored: 0 },
): Omit<Slice, "name" | "kind"> {
  const { count = 0, mean = Number.NaN, interval = null, difference = null } = found ?? {}
  const one = difference && { ...difference, p_adjusted: null, is_marked: false }
  return { value: Number.isNaN(mean) ? "NaN" : mean, interval, scored: count, ...counts, difference: one }
}

/** Adjusts the p-values of all differences of a task together, and marks those that are more than chance. */
function markDifferences<Key>(
  found: ReadonlyMap<Key, readonly TalliedSlices[]>,
): ReadonlyMap<Key, readonly TalliedSlices[]> {
  const all = [...found.values()].flat().flatMap(({ groups }) => groups.flatMap(({ difference }) => difference ?? []))
  const marks = markSlices(all.map(({ p }) => p))
  const markOf = new Map(all.map((one, at) => [one, marks[at]]))
  const marked = (difference: SliceDifference | null): SliceDifference | null => {
    const mark = difference === null ? undefined : markOf.get(difference)
    if (difference === null || mark === undefined) return difference
    return { ...difference, p_adjusted: mark.pAdjusted, is_marked: mark.isMarked }
  }
  return new Map(
    [...found].map(([key, columns]) => [
      key,
      columns.map((one) => ({
        ...one,
        groups: one.groups.map((slice) => ({ ...slice, difference: marked(slice.difference) })),
      })),
    ]),
  )
}
