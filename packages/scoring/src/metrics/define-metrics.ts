import type { EvaluationConfigBody, EvaluationTask, MetricConfig } from "@assay/schemas"
import { conditionalMetric } from "./conditional-metric.ts"
import { defineMetric, watchReads } from "./define-metric.ts"
import type { MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { templateOf } from "./metric-templates.ts"
import { LIKELIHOOD_TYPES } from "../likelihood/likelihood-template.ts"
import type { RunParams } from "../models/run-params.ts"
import type { IssueList } from "../issue-list.ts"

/** Types of tasks that are types of metrics, too: those of an `agentic` configuration, and those that ask how likely texts are. */
export const METRIC_TASKS = {
  agentic: [
    "tool_call_accuracy",
    "agent_goal_accuracy_with_reference",
    "agent_goal_accuracy_without_reference",
    "topic_adherence",
    "answer_accuracy",
    "trajectory_evaluation",
  ] as readonly string[],
  likelihood: LIKELIHOOD_TYPES,
} as const

const SIMILARITY_METRICS = Object.fromEntries(["accuracy", "bleu", "rouge", "em", "f1"].map((type) => [type, { type }]))

/** Returns the metrics of a task. A task without metrics gets the default ones of its configuration type. */
export function taskMetrics(
  { type }: Pick<EvaluationConfigBody, "type">,
  { type: taskType = "", metrics = {} }: Pick<EvaluationTask, "type" | "metrics">,
): Readonly<Record<string, MetricConfig>> {
  if (Object.keys(metrics).length > 0) return metrics
  if (type === "similarity_metrics") return SIMILARITY_METRICS
  if (type === "custom" && METRIC_TASKS.likelihood.some((one) => one === taskType))
    return { [taskType]: { type: taskType } }
  return type === "agentic" && METRIC_TASKS.agentic.includes(taskType) ? { [taskType]: { type: taskType } } : metrics
}

export interface MetricsToDefine {
  /** The name of the task. */
  readonly name: string
  readonly issues: IssueList
  readonly metrics: Readonly<Record<string, MetricConfig>>
  readonly run: RunParams
  /** Parameters that apply unless the metric sets them. */
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly references?: MetricSetup["references"]
}

/** Defines the metrics of a task. A faulty metric becomes an issue. */
export function defineMetrics({
  name,
  issues,
  metrics,
  run,
  defaults,
  references,
}: MetricsToDefine): readonly MetricDefinition[] {
  return Object.entries(metrics).flatMap(([key, { type, params, when }]) => {
    const watched = watchReads<MetricSetup["params"]>({ ...defaults, ...params })
    const setup: MetricSetup = {
      key,
      type,
      params: watched.value,
      name: `tasks.${name}.metrics.${key}.params`,
      run: run.callLimits,
      references,
    }
    const definition = issues.attempt(() => {
      const metric = defineMetric(setup)
      if (when === undefined) return metric
      return conditionalMetric(metric, templateOf(when, `tasks.${name}.metrics.${key}.when`))
    })
    if (definition === undefined) return []
    return { ...definition, params: { given: Object.keys(params ?? {}), read: [...watched.read] } }
  })
}
