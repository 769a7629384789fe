import type { EvaluationResult, Score } from "@assay/schemas"

export interface NamedScore {
  /** The task, or the group, that it stands under. */
  readonly task: string
  readonly metric: string
  readonly score: string
  /** `task.metric.score` */
  readonly name: string
  readonly found: Score
}

/** Every score of a result, tasks before groups, in the order in which they stand. */
export function listScores(result: Pick<EvaluationResult, "tasks" | "groups">): readonly NamedScore[] {
  return [...Object.entries(result.tasks), ...Object.entries(result.groups)].flatMap(([task, { metrics }]) =>
    Object.entries(metrics).flatMap(([metric, { scores }]) =>
      Object.entries(scores).map(([score, found]) => ({
        task,
        metric,
        score,
        name: `${task}.${metric}.${score}`,
        found,
      })),
    ),
  )
}
