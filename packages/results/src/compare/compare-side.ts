import { setImmediate } from "node:timers/promises"
import type { ChangedRow, PairComparison, ScoreComparison } from "@assay/schemas"
import { changedRow, findChangedRows } from "./changed-rows.ts"
import { compareScore } from "./compare-score.ts"
import type { ComparisonLabels } from "./correct-pair.ts"
import { correctScore, scoresToCorrect } from "./correct-score.ts"
import { type JobToCompare, type JobValues, type TaskValues, scoreKey } from "./job-to-compare.ts"
import { scoreRange } from "./score-range.ts"
import { readRowsAt } from "../rows/read-latest-rows.ts"

/** A job with its scores by row. */
export interface Side extends JobValues {
  readonly job: JobToCompare
}

export interface CompareSideOptions {
  readonly margin: number
  /** The largest number of worse rows that are kept, and of better rows. */
  readonly maxChanged: number
  readonly signal: AbortSignal | undefined
  /** Labels of people that correct scores. Absent: nothing is corrected. */
  readonly labels?: ComparisonLabels | undefined
}

export interface SideComparison {
  /** One for each of the scores, in their order. Undefined if no row has the score on both sides. */
  readonly pairs: readonly (PairComparison | undefined)[]
  readonly changed: readonly ChangedRow[]
  readonly changedTotal: number
  /** Rows that ask something else in the other job. */
  readonly differentRows: number
}

type NamedScore = Pick<ScoreComparison, "task" | "metric" | "score" | "higher_is_better" | "decides" | "unit">

/** Compares a job with the first one in all scores that both have. */
export async function compareSide(
  baseline: Side,
  side: Side,
  scores: readonly NamedScore[],
  { margin, maxChanged, signal, labels }: CompareSideOptions,
): Promise<SideComparison> {
  const shared = [...baseline.tasks].flatMap(([task, values]) => {
    const other = side.tasks.get(task)
    return other === undefined ? [] : [{ task, baseline: values, other, isSameRow: sameRows(values, other) }]
  })
  const toCorrect = labels && scoresToCorrect(scores, labels, baseline.job.config)
  const placed = scores.map((score) => ({ score, task: taskWithScore(shared, score) }))
  const pairs: (PairComparison | undefined)[] = []
  for (const { score, task } of placed) {
    const key = scoreKey(score.metric, score.score)
    const a = task?.baseline.scores.get(key)
    const b = task?.other.scores.get(key)
    const range = scoreRange(baseline.job.config, score)
    const options = { job: side.job.id, margin, higherIsBetter: score.higher_is_better, range }
    const isShared = task !== undefined && a !== undefined && b !== undefined
    const groups = task?.baseline.groups ?? null
    const pair = isShared
      ? compareScore({ baseline: a, values: b, groups, isSameRow: task.isSameRow }, options)
      : undefined
    const corrected =
      pair === undefined || !isShared || labels === undefined || toCorrect?.has(score) !== true
        ? undefined
        : correctScore({ baseline, side, score, labels, margin }, { ...task, values: [a, b] })
    pairs.push(pair === undefined || corrected === undefined ? pair : { ...pair, corrected })
    // A score of a million rows takes half a second. Let other work of the process run in between.
    await setImmediate(undefined, { signal })
  }
  const changes = shared.map(({ task, baseline: values, other, isSameRow }) => {
    const own = placed.filter((one) => one.task?.task === task).map(({ score }) => score)
    // The latency of every row differs.
    const deciding = own.filter(({ decides }) => decides)
    return { task, own, ...findChangedRows(values, other, { scores: deciding, isSameRow, limit: maxChanged }) }
  })
  const kept = ["worse", "better"] as const
  const references = kept.flatMap((which) =>
    changes
      .flatMap(({ task, own, [which]: rows }) => rows.map((change) => ({ task, own, ...change })))
      .slice(0, maxChanged),
  )
  const read = ({ job, attempts }: Side) => readRowsAt(job.rows, references, { attempts, signal })
  const before = await read(baseline)
  const after = await read(side)
  return {
    pairs,
    changed: references.map((reference, at) => changedRow(reference, side.job.id, [before[at], after[at]])),
    changedTotal: changes.reduce((sum, { total }) => sum + total, 0),
    differentRows: shared.reduce(
      (sum, { baseline: { items }, isSameRow }) => sum + countDifferent(items.rows, isSameRow),
      0,
    ),
  }
}

/** Finds the task of a score. A score of a group belongs to the task whose rows have it. */
export function taskWithScore<T extends { readonly task: string; readonly baseline: TaskValues }>(
  tasks: readonly T[],
  { task, metric, score }: Pick<NamedScore, "task" | "metric" | "score">,
): T | undefined {
  return (
    tasks.find((one) => one.task === task) ?? tasks.find(({ baseline }) => baseline.scores.has(scoreKey(metric, score)))
  )
}

/** Returns whether a row asks the same on both sides. A row that only one side has counts as the same. */
export function sameRows({ items: a }: TaskValues, { items: b }: TaskValues): (row: number) => boolean {
  return (row) => {
    const one = a.get(row, 0)
    const other = b.get(row, 0)
    return one === other || Number.isNaN(one) || Number.isNaN(other)
  }
}

function countDifferent(rows: number, isSameRow: (row: number) => boolean): number {
  let count = 0
  for (let row = 0; row < rows; row++) if (!isSameRow(row)) count++
  return count
}
