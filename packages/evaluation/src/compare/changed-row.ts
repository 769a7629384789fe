import type { ChangedRow, EvaluationRow, ScoreComparison, ScoreValue } from "@assay/schemas"
import { cutText } from "../results/cut-text.ts"
import type { Change } from "./find-changed-rows.ts"

const LONGEST_TEXT = 2000

export interface ChangedPlace extends Change {
  readonly task: string
  /** The scores of the task. */
  readonly own: readonly Pick<ScoreComparison, "metric" | "score">[]
}

/** A changed row with what it asked, both answers, and the scores that differ. `sides`: as it was, and as it is in `job`. */
export function changedRow(
  { task, row, repeat, isBetter, own }: ChangedPlace,
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
