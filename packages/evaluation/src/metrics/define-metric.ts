import { invalidRequest, nearestNames } from "@assay/schemas"
import { accuracyMetric } from "./accuracy-metric.ts"
import { answerAccuracyMetric } from "./agentic/answer-accuracy-metric.ts"
import { goalAccuracyMetric } from "./agentic/goal-accuracy-metric.ts"
import { toolCallAccuracyMetric } from "./agentic/tool-call-accuracy-metric.ts"
import { topicAdherenceMetric } from "./agentic/topic-adherence-metric.ts"
import { trajectoryMetric } from "./agentic/trajectory-metric.ts"
import { bleuMetric } from "./bleu-metric.ts"
import { chrfMetric } from "./chrf-metric.ts"
import { costMetric } from "./cost-metric.ts"
import { exactMatchMetric } from "./exact-match-metric.ts"
import { f1Metric } from "./f1-metric.ts"
import { jsonSchemaMetric } from "./json-schema-metric.ts"
import { llmJudgeMetric } from "./judge/llm-judge-metric.ts"
import { latencyMetric } from "./latency-metric.ts"
import type { DefineMetric, MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { numberCheckMetric } from "./number-check-metric.ts"
import { remoteMetric } from "./remote/remote-metric.ts"
import { rougeMetric } from "./rouge-metric.ts"
import { stringCheckMetric } from "./string-check-metric.ts"
import { tokensMetric } from "./tokens-metric.ts"
import { toolCallingMetric } from "./tool-calling-metric.ts"

const METRICS: Readonly<Record<string, DefineMetric>> = {
  "exact-match": exactMatchMetric,
  em: exactMatchMetric,
  f1: f1Metric,
  accuracy: accuracyMetric,
  "string-check": stringCheckMetric,
  "number-check": numberCheckMetric,
  bleu: bleuMetric,
  rouge: rougeMetric,
  chrf: chrfMetric,
  "tool-calling": toolCallingMetric,
  "llm-judge": llmJudgeMetric,
  "json-schema": jsonSchemaMetric,
  latency: latencyMetric,
  tokens: tokensMetric,
  cost: costMetric,
  remote: remoteMetric,
  tool_call_accuracy: toolCallAccuracyMetric,
  agent_goal_accuracy_with_reference: goalAccuracyMetric,
  agent_goal_accuracy_without_reference: goalAccuracyMetric,
  topic_adherence: topicAdherenceMetric,
  answer_accuracy: answerAccuracyMetric,
  trajectory_evaluation: trajectoryMetric,
}

/** Makes a metric of any type. @throws `invalid_request` for a type that there is not, with near ones; what the metric itself throws */
export function defineMetric(setup: MetricSetup): MetricDefinition {
  const define = Object.hasOwn(METRICS, setup.type) ? METRICS[setup.type] : undefined
  if (define !== undefined) return define(setup)
  const types = Object.keys(METRICS)
  const near = nearestNames(setup.type, types)
  const advice = near.length === 0 ? `use one of ${types.join(", ")}` : `did you mean '${near.join("' or '")}'?`
  const path = setup.name.replace(/\.params$/, ".type").split(".")
  throw invalidRequest(path, `'${setup.type}' is no metric; ${advice}`, "enum", setup.type)
}
