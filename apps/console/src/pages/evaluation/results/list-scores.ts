import type { EvaluationResult, Score } from "@assay/schemas"

export interface ListedScore {
  readonly task: string
  readonly metric: string
  readonly score: string
  /** The metric, and the score if the metric has several. */
  readonly name: string
  readonly given: Score
}

/** Lists the scores of a result, task by task. */
export function scoresOf({ tasks }: Pick<EvaluationResult, "tasks">): readonly ListedScore[] {
  return Object.entries(tasks).flatMap(([task, { metrics }]) =>
    Object.entries(metrics).flatMap(([metric, { scores }]) => {
      const isOnly = Object.keys(scores).length === 1
      return Object.entries(scores).map(([score, given]) => ({
        task,
        metric,
        score,
        name: isOnly ? metric : `${metric}.${score}`,
        given,
      }))
    }),
  )
}
