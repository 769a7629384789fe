import { join } from "node:path"
import { type Column, columnAt, openColumn } from "./column.ts"
import type { RowFacts } from "./row-facts.ts"

/** The columns of scores, which are opened when a row has a new score. */
export interface ScoreColumns {
  /** Returns the scores, as `metric.score`. */
  names(): string[]
  find(score: string): Column | undefined
  /** Adds the scores of rows after `count` entries. */
  append(rows: readonly ScoredRow[], count: number): void
}

interface ScoredRow {
  readonly facts: Pick<RowFacts, "scores">
}

/** More scores are left out. */
const MAX_SCORES = 1000

/**
 * @param columns all columns of the table, to which new ones are added
 * @param saved the scores of the saved table
 */
export function createScoreColumns(
  folder: string,
  columns: Map<string, Column>,
  saved: readonly string[] = [],
): ScoreColumns {
  const scores = new Map(saved.map((score, index) => [score, columnAt(columns, scoreName(index))] as const))

  /** Opens the column of a new score, in which earlier entries have nothing. */
  function addScore(score: string, count: number): void {
    if (scores.has(score) || scores.size >= MAX_SCORES) return
    const name = scoreName(scores.size)
    const column = openColumn(join(folder, name), "f64")
    if (column === undefined) return
    columns.set(name, column)
    column.append(new Float64Array(count).fill(Number.NaN))
    scores.set(score, column)
  }

  return {
    names: () => [...scores.keys()],
    find: (score) => scores.get(score),
    append(rows, count) {
      for (const { facts } of rows) for (const [score] of facts.scores) addScore(score, count)
      const values = new Map([...scores.keys()].map((score) => [score, new Float64Array(rows.length).fill(Number.NaN)]))
      for (const [index, { facts }] of rows.entries()) {
        for (const [score, value] of facts.scores) values.get(score)?.fill(value, index, index + 1)
      }
      for (const [score, column] of scores) column.append(values.get(score) ?? [])
    },
  }
}

export function scoreName(index: number): string {
  return `score-${index}`
}
