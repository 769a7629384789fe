import { fieldsOf } from "@assay/json"
import type { EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import { listScores, type NamedScore } from "../scores/list-scores.ts"

/** A score that a model gives. */
export interface JudgeScore extends NamedScore {
  /** The type of the metric. */
  readonly type: string
  /** The id of the model that judges; null if the configuration does not name one. */
  readonly model: string | null
}

/** Scores that say how another score was read, and judge nothing. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(["with_logprobs"])

/** Lists the scores of a result that are opinions of a model: those of `llm-judge`, and of metrics with the parameter `judge`. Scores over all rows at once are left out. */
export function judgeScores(
  { tasks = {} }: Pick<EvaluationConfigBody, "tasks">,
  result: Pick<EvaluationResult, "tasks" | "groups">,
): readonly JudgeScore[] {
  return listScores(result).flatMap((one) => {
    const { task, metric, score, found } = one
    const metrics = Object.hasOwn(tasks, task) ? (tasks[task]?.metrics ?? {}) : {}
    const config = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined
    if (config === undefined || found.stats === undefined || ABOUT_OTHERS.has(score)) return []
    const params = fieldsOf(config.params)
    const judge = config.type === "llm-judge" ? params : params["judge"]
    if (judge === undefined) return []
    const model = fieldsOf(fieldsOf(judge)["model"])
    const { model_id: id } = fieldsOf(model["api_endpoint"] ?? model)
    return [{ ...one, type: config.type, model: typeof id === "string" ? id : null }]
  })
}
