import type { EvaluationResult, Score } from "@assay/schemas"
import { shortScoreNames, type NamedScore } from "./short-score-names.ts"

export interface ListedScore extends NamedScore {
  /** Its short name. */
  readonly name: string
  readonly given: Score
}

/** Lists the scores of a result, task by task. */
export function scoresOf({ tasks }: Pick<EvaluationResult, "tasks">): readonly ListedScore[] {
  const listed = Object.entries(tasks).flatMap(([task, { metrics }]) =>
    Object.entries(metrics).flatMap(([metric, { scores }]) =>
      Object.entries(scores).map(([score, given]) => ({ task, metric, score, given })),
    ),
  )
  const names = shortScoreNames(listed)
  return listed.map((one, index) => ({ ...one, name: names[index] ?? one.metric }))
}
