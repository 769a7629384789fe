import type { ScoreComparison } from "@assay/schemas"
import { keepMost } from "../results/keep-most.ts"
import { scoreKey, type TaskValues } from "./read-job-values.ts"

/** A score that both jobs may have. */
type SharedScore = Pick<ScoreComparison, "metric" | "score" | "higher_is_better">

/** Where a row's scores differ. */
export interface Change {
  readonly row: number
  readonly repeat: number
  readonly isBetter: boolean
}

export interface Changes {
  readonly worse: readonly Change[]
  readonly better: readonly Change[]
  readonly total: number
}

export interface FindChangesOptions {
  readonly scores: readonly SharedScore[]
  readonly isSameRow: (row: number) => boolean
  /** How many are kept of the worse ones, and of the better ones. */
  readonly limit: number
}

/** The rows of a task whose scores changed most, each score measured by how widely it varies. */
export function findChangedRows(baseline: TaskValues, task: TaskValues, options: FindChangesOptions): Changes {
  const columns = options.scores.flatMap(({ metric, score, higher_is_better }) => {
    const [a, b] = [baseline, task].map(({ scores }) => scores.get(scoreKey(metric, score)))
    if (a === undefined || b === undefined) return []
    const rows = Math.max(a.rows, b.rows)
    const repeats = Math.max(a.repeats, b.repeats)
    return [{ a, b, rows, repeats, sign: higher_is_better ? 1 : -1 }]
  })
  const rows = Math.max(0, ...columns.map((column) => column.rows))
  const repeats = Math.max(0, ...columns.map((column) => column.repeats))
  const spans = columns.map(({ a, b, rows, repeats }) => spanOf([a, b], rows, repeats))
  const worse = keepMost<Change>(options.limit)
  const better = keepMost<Change>(options.limit)
  let total = 0
  for (let row = 0; row < rows; row++) {
    if (!options.isSameRow(row)) continue
    for (let repeat = 0; repeat < repeats; repeat++) {
      let [change, hasChanged] = [0, false]
      for (const [place, { a, b, sign }] of columns.entries()) {
        const difference = b.get(row, repeat) - a.get(row, repeat)
        if (Number.isNaN(difference) || difference === 0) continue
        hasChanged = true
        change += (sign * difference) / (spans[place] ?? 1)
      }
      if (!hasChanged) continue
      total++
      const isBetter = change > 0
      ;(isBetter ? better : worse).offer(Math.abs(change), () => ({ row, repeat, isBetter }))
    }
  }
  return { worse: worse.list(), better: better.list(), total }
}

function spanOf(sides: readonly { get(row: number, repeat: number): number }[], rows: number, repeats: number): number {
  let [low, high] = [Infinity, -Infinity]
  for (const side of sides) {
    for (let row = 0; row < rows; row++) {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const value = side.get(row, repeat)
        if (value < low) low = value
        if (value > high) high = value
      }
    }
  }
  return high > low ? high - low : 1
}
