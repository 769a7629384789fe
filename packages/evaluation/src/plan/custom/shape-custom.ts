import { EvaluationTask } from "@assay/schemas"
import { defineMetrics, METRIC_TASKS, runParams } from "@assay/scoring"
import { askingShape, taskRequest } from "../asking-shape.ts"
import { shapeAgent } from "../agent/shape-agent.ts"
import { shapeConversation } from "../conversation/shape-conversation.ts"
import { shapeLikelihood } from "./shape-likelihood.ts"
import { meantKey } from "../meant-key.ts"
import type { ShapeTask } from "../task-shape.ts"

const TYPES = ["completion", "chat-completion", "conversation", "agent", "data", ...METRIC_TASKS.likelihood]

/**
 * Shapes a task of a `custom` configuration: `completion` and `chat-completion` call the target, `data` scores rows without calls.
 * `conversation` asks it turn by turn, and `agent` lets an agent do whole tasks. `loglikelihood` and `multiple-choice` ask the target how likely texts are. Without a type, a target that is a model is called. Without a template, the request is the `messages` or the `prompt` of a row.
 */
export const shapeCustom: ShapeTask = (toShape) => {
  const { target, config, name, task, issues } = toShape
  const type = task.type ?? (target.type === "model" ? "chat-completion" : "data")
  if (type === "conversation") return shapeConversation(toShape)
  if (type === "agent") return shapeAgent(toShape)
  const likelihood = METRIC_TASKS.likelihood.find((one) => one === type)
  if (likelihood !== undefined) return shapeLikelihood(likelihood, toShape)
  if (!TYPES.includes(type))
    issues.add(`tasks.${name}.type: '${type}' is not a task of a custom configuration; use ${TYPES.join(", ")}.`)
  const run = runParams(config.params, task.params)
  const metrics = defineMetrics({ name, issues, metrics: task.metrics ?? {}, run })
  if (Object.keys(task.metrics ?? {}).length === 0)
    issues.add(
      `tasks.${name}.metrics: is empty; name at least one metric.${meantKey(task, "metrics", EvaluationTask.properties)}`,
    )
  const request = taskRequest(toShape)
  return askingShape(toShape, { run, metrics, request, keys: ["messages", "prompt"], isData: type === "data" })
}
