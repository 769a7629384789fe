import { fieldsOf } from "@assay/json"
import type { ApiEndpoint } from "@assay/schemas"
import { markedReasoning } from "@assay/scoring"
import { type GuardrailModelOf, shapeGuardrail } from "./shape-content-safety.ts"
import type { ShapeTask, TaskToShape } from "../task-shape.ts"

/** Parameters that decide which prompts are asked, and how often. All judges are asked the same. */
const FOR_ALL_JUDGES = ["limit_samples", "repeats", "max_false_block", "max_miss"]

/**
 * Shapes a task of a `calibration` configuration, which is one judge: its name is the judge's name in the report, `params.guardrail` is
 * a guardrail configuration or the name of one, and `params.model` is the judge for models without an address. The rows of the target
 * are labelled prompts. With `params.logprobs`, log-probabilities are asked for, which allow a ROC curve.
 */
export const shapeCalibration: ShapeTask = (toShape) => {
  const { target, config, name, task, issues } = toShape
  const isFirst = Object.keys(config.tasks ?? {})[0] === name
  if (isFirst && target.type !== "rows" && target.type !== "dataset") {
    issues.add(
      `target.type: is '${target.type}', and the target of a calibration is its labelled prompts; use 'dataset' or 'rows', and name models in tasks.<judge>.params.model.`,
    )
  }
  if (task.dataset !== undefined)
    issues.add(
      `tasks.${name}.dataset: is not used; name the prompts in 'target.dataset', so that all judges get the same.`,
    )
  for (const param of FOR_ALL_JUDGES) {
    if (fieldsOf(task.params)[param] === undefined) continue
    issues.add(`tasks.${name}.params.${param}: applies to all judges; write it into 'config.params'.`)
  }
  const logprobs = task.params?.["logprobs"] ?? fieldsOf(config.params)["logprobs"] ?? false
  if (typeof logprobs !== "boolean") issues.add(`tasks.${name}.params.logprobs: write true or false.`)
  const model = modelOf(toShape)
  const shape = shapeGuardrail(toShape, model && { ...model, logprobs: logprobs === true })
  return shape && { ...shape, isTried: true }
}

/** Returns the model of `params.model`. Returns undefined if it is an issue. */
function modelOf({ name, task, issues }: TaskToShape): GuardrailModelOf | undefined {
  const written = task.params?.["model"]
  if (written === undefined || written === null) return { endpoint: undefined }
  const endpoint = fieldsOf(fieldsOf(written)["api_endpoint"])
  if (typeof endpoint["url"] === "string" && typeof endpoint["model_id"] === "string") {
    const location = `tasks.${name}.params.model`
    return issues.attempt(() => ({
      endpoint: endpoint as ApiEndpoint,
      reasoning: markedReasoning.readSettings(written, location),
    }))
  }
  const rule = 'needs the model that judges; write {"api_endpoint": {"url": "https://host/v1", "model_id": "…"}}.'
  issues.add(`tasks.${name}.params.model: ${rule}`)
  return undefined
}
