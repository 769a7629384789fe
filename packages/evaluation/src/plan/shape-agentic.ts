import { askingShape, taskRequest } from "./asking-shape.ts"
import { defineMetrics, AGENTIC_TYPES, taskMetrics } from "./define-metrics.ts"
import { runParams } from "../models/run-params.ts"
import type { ShapeTask } from "./task-shape.ts"

/**
 * Shapes a task of an `agentic` configuration. Its type is its metric, and its parameters (`judge`, `metric_mode`, …) are those of
 * the metric. They are also defaults of the other metrics of the task.
 */
export const shapeAgentic: ShapeTask = (toShape) => {
  const { config, name, task, issues } = toShape
  const { type = "" } = task
  if (!AGENTIC_TYPES.includes(type))
    issues.add(`tasks.${name}.type: '${type}' is not an agentic task; use ${AGENTIC_TYPES.join(", ")}.`)
  const run = runParams(config.params, task.params)
  const { template: _template, ...params } = task.params ?? {}
  const metrics = defineMetrics({
    name,
    issues,
    metrics: taskMetrics(config, task),
    run,
    defaults: { ...config.params, ...params },
  })
  const request = taskRequest(toShape)
  return askingShape(toShape, { run, metrics, request, keys: ["user_input", "question", "input", "prompt"] })
}
