import type { ChangedRow, EvaluationRow, ScoreComparison, ScoreValue } from "@assay/schemas"
import { cutText } from "../results/cut-text.ts"
import type { Change } from "./find-changed-rows.ts"
import { placeKey } from "../results/read-rows-at.ts"

const LONGEST_TEXT = 2000

export interface ChangedPlace extends Change {
  readonly task: string
  /** The scores of the task. */
  readonly own: readonly Pick<ScoreComparison, "metric" | "score">[]
}

export interface ChangedSides {
  readonly job: string
  readonly before: ReadonlyMap<string, EvaluationRow>
  readonly after: ReadonlyMap<string, EvaluationRow>
}

/** A changed row with what it asked, both answers, and the scores that differ. */
export function changedRow(place: ChangedPlace, { job, before, after }: ChangedSides): ChangedRow {
  const { task, row, repeat, isBetter, own } = place
  const sides = [before, after].map((rows) => rows.get(placeKey({ task, row, repeat })))
  const valueOf = (side: EvaluationRow | undefined, metric: string, score: string): ScoreValue =>
    side?.scores[metric]?.[score] ?? "NaN"
  return {
    job,
    task,
    row_index: row,
    repeat,
    change: isBetter ? "better" : "worse",
    item: cutText(JSON.stringify(sides[0]?.item ?? {}), LONGEST_TEXT),
    answers: sides.map((side) => {
      const text = side?.sample?.output_text ?? null
      return text === null ? null : cutText(text, LONGEST_TEXT)
    }),
    scores: own
      .map(({ metric, score }) => {
        return { metric, score, baseline: valueOf(sides[0], metric, score), value: valueOf(sides[1], metric, score) }
      })
      .filter(({ baseline, value }) => baseline !== value),
  }
}
