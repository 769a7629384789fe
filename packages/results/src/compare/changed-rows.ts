import { cutText } from "@assay/reports"
import type { ChangedRow, EvaluationRow, ScoreComparison, ScoreValue } from "@assay/schemas"
import { keepMost } from "../rows/keep-most.ts"
import { scoreKey, type TaskValues } from "./job-to-compare.ts"

const MAX_TEXT = 2000

/** A score that both jobs may have. */
type SharedScore = Pick<ScoreComparison, "metric" | "score" | "higher_is_better">

/** A row whose scores differ. */
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
  /** The largest number of worse rows that are kept, and of better rows. */
  readonly limit: number
}

/** Finds the rows of a task whose scores changed most. Each change is measured in units of the range of its score. */
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
      let change = 0
      let hasChanged = false
      for (const [reference, { a, b, sign }] of columns.entries()) {
        const difference = b.get(row, repeat) - a.get(row, repeat)
        if (Number.isNaN(difference) || difference === 0) continue
        hasChanged = true
        change += (sign * difference) / (spans[reference] ?? 1)
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
  let low = Infinity
  let high = -Infinity
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

export interface ChangedScoreRow extends Change {
  readonly task: string
  /** The scores of the task. */
  readonly own: readonly Pick<ScoreComparison, "metric" | "score">[]
}

/**
 * Describes a changed row: its item, both answers, and the scores that differ.
 * @param sides the row in the baseline and the row in `job`
 */
export function changedRow(
  { task, row, repeat, isBetter, own }: ChangedScoreRow,
  job: string,
  sides: readonly [EvaluationRow | undefined, EvaluationRow | undefined],
): ChangedRow {
  const valueOf = (side: EvaluationRow | undefined, metric: string, score: string): ScoreValue =>
    side?.scores[metric]?.[score] ?? "NaN"
  return {
    job,
    task,
    row_index: row,
    repeat,
    change: isBetter ? "better" : "worse",
    item: cutText(JSON.stringify(sides[0]?.item ?? {}), MAX_TEXT),
    answers: sides.map((side) => {
      const text = side?.sample?.output_text ?? null
      return text === null ? null : cutText(text, MAX_TEXT)
    }),
    scores: own
      .map(({ metric, score }) => {
        return { metric, score, baseline: valueOf(sides[0], metric, score), value: valueOf(sides[1], metric, score) }
      })
      .filter(({ baseline, value }) => baseline !== value),
  }
}
