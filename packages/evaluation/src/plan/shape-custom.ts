import { askingShape, taskRequest } from "./asking-shape.ts"
import { defineMetrics } from "./define-metrics.ts"
import { runParams } from "../models/run-params.ts"
import type { ShapeTask } from "./task-shape.ts"

const TYPES = ["completion", "chat-completion", "data"]

/**
 * A task of a `custom` configuration: `completion` and `chat-completion` ask the target, `data` scores rows as they are. Without a
 * type a model is asked. Without a template a row's `messages` or `prompt` are asked.
 */
export const shapeCustom: ShapeTask = (toShape) => {
  const { target, config, name, task, issues } = toShape
  const type = task.type ?? (target.type === "model" ? "chat-completion" : "data")
  if (!TYPES.includes(type))
    issues.add(`tasks.${name}.type: '${type}' is no task of a custom configuration; use ${TYPES.join(", ")}.`)
  const run = runParams(config.params, task.params)
  const metrics = defineMetrics({ name, issues, metrics: task.metrics ?? {}, run })
  if (Object.keys(task.metrics ?? {}).length === 0)
    issues.add(`tasks.${name}.metrics: is empty; name at least one metric.`)
  const request = taskRequest(toShape)
  return askingShape(toShape, { run, metrics, request, keys: ["messages", "prompt"], isData: type === "data" })
}
