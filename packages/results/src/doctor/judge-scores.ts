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

/** Scores that say how another score of the metric came about, and judge nothing, by the type of the metric. */
const ABOUT_OTHERS: Readonly<Record<string, readonly string[]>> = {
  "g-eval": ["with_logprobs"],
  pairwise: ["tie", "position_bias", "longer_wins"],
}

/** Lists the scores of a result that are opinions of a model: those of `llm-judge`, and of metrics with the parameter `judge`. Scores over all rows at once are left out. */
export function judgeScores(
  { tasks = {} }: Pick<EvaluationConfigBody, "tasks">,
  result: Pick<EvaluationResult, "tasks" | "groups">,
): readonly JudgeScore[] {
  return listScores(result).flatMap((one) => {
    const { task, metric, score, found } = one
    const metrics = Object.hasOwn(tasks, task) ? (tasks[task]?.metrics ?? {}) : {}
    const config = Object.hasOwn(metrics, metric) ? metrics[metric] : undefined
    if (config === undefined || found.stats === undefined) return []
    if (Object.hasOwn(ABOUT_OTHERS, config.type) && ABOUT_OTHERS[config.type]?.includes(score) === true) return []
    const params = fieldsOf(config.params)
    const judge = config.type === "llm-judge" ? params : params["judge"]
    if (judge === undefined) return []
    const model = fieldsOf(fieldsOf(judge)["model"])
    const { model_id: id } = fieldsOf(model["api_endpoint"] ?? model)
    return [{ ...one, type: config.type, model: typeof id === "string" ? id : null }]
  })
}
