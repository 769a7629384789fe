import type { EvaluationConfigBody, EvaluationResult, EvaluationRow, ScoreStats, ScoreValue } from "@assay/schemas"
import { valueRange, type ValueRange } from "../scores/value-range.ts"
import { isAmount, isHigherBetter, listScores, type ScoreKey } from "../scores/list-scores.ts"
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
  const statsOf = statsByName(result)
  const tasks = new Map<string, RowValues>()

  /** Returns how a score is read as 0 to 1, or undefined if it does not make a row better or worse. */
  const readingOf = (task: string, metric: string, score: string): Reading | undefined => {
    const key = { task, metric, score }
    const found = statsOf(key)
    const range = valueRange(config, key, found)
    if (range === undefined || isAmount(config, key)) return undefined
    return { ...range, isHigherBetter: isHigherBetter(config, key) }
  }
  const readings = new Map<string, Map<string, Map<string, Reading | undefined>>>()

  /** Returns 0 to 1 over the range of its scores, or NaN if it has none. An unreadable score counts as 0. */
  const goodness = ({ task, scores }: EvaluationRow): number => {
    const ofTask = within(readings, task)
    let sum = 0
    let count = 0
    // A journal has millions of scores, so this makes no lists and no names of them.
    for (const metric in scores) {
      const ofMetric = within(ofTask, metric)
      const found = scores[metric] ?? {}
      for (const score in found) {
        if (!ofMetric.has(score)) ofMetric.set(score, readingOf(task, metric, score))
        const reading = ofMetric.get(score)
        if (reading === undefined) continue
        sum += shareOf(found[score] ?? "NaN", reading)
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

/** Returns what finds the statistics of a score of a task, or those of its group. */
function statsByName(result: Pick<EvaluationResult, "tasks" | "groups">): (key: ScoreKey) => ScoreStats | undefined {
  const stats = new Map(listScores(result).map(({ name, found }) => [name, found.stats]))
  const grouped = new Map(
    listScores({ tasks: {}, groups: result.groups }).map(({ metric, score, found }) => [
      `${metric}.${score}`,
      found.stats,
    ]),
  )
  return ({ task, metric, score }) => stats.get(`${task}.${metric}.${score}`) ?? grouped.get(`${metric}.${score}`)
}

interface Reading extends ValueRange {
  readonly isHigherBetter: boolean
}

function shareOf(value: ScoreValue, { low, high, isHigherBetter: isHigher }: Reading): number {
  if (value === "NaN") return 0
  const share = (value - low) / (high - low)
  return isHigher ? share : 1 - share
}

/** Returns the map at a key of a map of maps. */
function within<Value>(maps: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const known = maps.get(key)
  if (known !== undefined) return known
  const created = new Map<string, Value>()
  maps.set(key, created)
  return created
}
