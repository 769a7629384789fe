import type { EvaluationResult, Score } from "@assay/schemas"

export interface NamedScore {
  /** The task or the group that the score belongs to. */
  readonly task: string
  readonly metric: string
  readonly score: string
  /** `task.metric.score` */
  readonly name: string
  readonly found: Score
}

/** Lists every score of a result in its order, tasks before groups. */
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
