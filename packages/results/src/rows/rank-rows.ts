import type { EvaluationConfigBody, EvaluationResult, EvaluationRow, ScoreStats } from "@assay/schemas"
import { isAmount, isHigherBetter, listScores } from "../scores/list-scores.ts"
import { keepMost } from "./keep-most.ts"
import type { RowReference } from "./read-latest-rows.ts"
import { type RowValues, createRowValues } from "@assay/metrics"

/** Finds the rows that a person wants to see while the journal is read once. Memory: 8 bytes per row. */
export interface RowRanking {
  /** Notes a row. A later attempt replaces an earlier one. */
  add(row: EvaluationRow): void
  /** Returns the highest attempt of any row. */
  attempts(): number
  /** Returns the first rows that failed. */
  failed(limit: number): readonly RowReference[]
  /** Returns the rows with the lowest scores, the worst first. Perfect rows are left out. */
  lowest(limit: number): readonly RowReference[]
}

const FAILED = -1

/** @param config names the metrics; expenses do not make a row bad */
export function rankRows(
  result: Pick<EvaluationResult, "tasks" | "groups">,
  config: Pick<EvaluationConfigBody, "tasks" | "type">,
): RowRanking {
  const stats = new Map(listScores(result).map(({ name, found }) => [name, found.stats]))
  const grouped = new Map(
    listScores({ tasks: {}, groups: result.groups }).map(({ metric, score, found }) => [
      `${metric}.${score}`,
      found.stats,
    ]),
  )
  const tasks = new Map<string, RowValues>()

  /** Returns 0 to 1 over the range of its scores, or NaN if it has none. An unreadable score counts as 0. */
  const goodness = ({ task, scores }: EvaluationRow): number => {
    let sum = 0
    let count = 0
    for (const [metric, found] of Object.entries(scores)) {
      for (const [score, value] of Object.entries(found)) {
        const range = rangeOf(stats.get(`${task}.${metric}.${score}`) ?? grouped.get(`${metric}.${score}`))
        if (range === undefined || isAmount(config, { task, metric, score })) continue
        const share = value === "NaN" ? 0 : (value - range.low) / (range.high - range.low)
        sum += value !== "NaN" && !isHigherBetter(config, { task, metric, score }) ? 1 - share : share
        count++
      }
    }
    return sum / count
  }
  const most = (limit: number, weigh: (value: number) => number): readonly RowReference[] => {
    const kept = keepMost<RowReference>(limit)
    for (const [task, values] of tasks) {
      for (let row = 0; row < values.rows; row++) {
        for (let repeat = 0; repeat < values.repeats; repeat++) {
          const weight = weigh(values.get(row, repeat))
          if (weight > 0) kept.offer(weight, () => ({ task, row, repeat }))
        }
      }
    }
    return kept.list()
  }
  let attempts = 1
  return {
    attempts: () => attempts,
    add(row) {
      attempts = Math.max(attempts, row.attempt)
      const values = tasks.get(row.task) ?? createRowValues()
      tasks.set(row.task, values)
      values.set(row.row_index, row.repeat, row.error === null ? goodness(row) : FAILED)
    },
    failed: (limit) => most(limit, (value) => (value === FAILED ? 1 : 0)),
    lowest: (limit) => most(limit, (value) => (value === FAILED ? 0 : 1 - value)),
  }
}

/** Returns 0 to 1 for shares, else the smallest and largest value; undefined if all values are equal. */
function rangeOf(stats: ScoreStats | undefined): { readonly low: number; readonly high: number } | undefined {
  if (stats === undefined || stats.min === "NaN" || stats.max === "NaN") return undefined
  if (stats.min >= 0 && stats.max <= 1) return { low: 0, high: 1 }
  return stats.min < stats.max ? { low: stats.min, high: stats.max } : undefined
}
