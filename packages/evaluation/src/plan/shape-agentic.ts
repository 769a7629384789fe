import { askingShape } from "./asking-shape.ts"
import { defineMetrics } from "./define-metrics.ts"
import { compileRequestTemplate } from "./request-template.ts"
import { runParams } from "./run-params.ts"
import type { ShapeTask } from "./task-shape.ts"

const TYPES = [
  "tool_call_accuracy",
  "agent_goal_accuracy_with_reference",
  "agent_goal_accuracy_without_reference",
  "topic_adherence",
  "answer_accuracy",
  "trajectory_evaluation",
]

/**
 * A task of an `agentic` configuration: its type is the metric, and its parameters (`judge`, `metric_mode`, …) are the metric's.
 * Metrics that are named beside it take them as defaults.
 */
export const shapeAgentic: ShapeTask = (toShape) => {
  const { config, name, task, issues } = toShape
  const { type = "" } = task
  if (!TYPES.includes(type)) issues.add(`tasks.${name}.type: '${type}' is no agentic task; use ${TYPES.join(", ")}.`)
  const run = runParams(config.params, task.params)
  const { template: source, ...params } = task.params ?? {}
  const own = task.metrics ?? {}
  const named = Object.keys(own).length === 0 && TYPES.includes(type) ? { [type]: { type } } : own
  const metrics = defineMetrics({ name, issues, metrics: named, run, defaults: { ...config.params, ...params } })
  const request = source === undefined ? undefined : issues.attempt(() => compileRequestTemplate(source, `tasks.${name}.params.template`))
  return askingShape(toShape, { run, metrics, request, keys: ["user_input", "question", "input", "prompt"] })
}
