import type { EvaluationConfigBody, EvaluationTask, MetricConfig } from "@assay/schemas"

/** Types of tasks of an `agentic` configuration: each is a metric too. */
export const AGENTIC_TYPES: readonly string[] = [
  "tool_call_accuracy",
  "agent_goal_accuracy_with_reference",
  "agent_goal_accuracy_without_reference",
  "topic_adherence",
  "answer_accuracy",
  "trajectory_evaluation",
]

const SIMILARITY_METRICS = Object.fromEntries(["accuracy", "bleu", "rouge", "em", "f1"].map((type) => [type, { type }]))

/** The metrics of a task; where it names none, those that its configuration has by nature. */
export function taskMetrics(
  { type }: Pick<EvaluationConfigBody, "type">,
  { type: taskType = "", metrics = {} }: Pick<EvaluationTask, "type" | "metrics">,
): Readonly<Record<string, MetricConfig>> {
  if (Object.keys(metrics).length > 0) return metrics
  if (type === "similarity_metrics") return SIMILARITY_METRICS
  return type === "agentic" && AGENTIC_TYPES.includes(taskType) ? { [taskType]: { type: taskType } } : metrics
}
