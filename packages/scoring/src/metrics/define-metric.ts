import { invalidRequest, nearestNames } from "@assay/schemas"
import { callsMetric } from "./conversation/calls-metric.ts"
import { stateMetric } from "./conversation/state-metric.ts"
import { answerAccuracyMetric } from "./agentic/answer-accuracy-metric.ts"
import { goalAccuracyMetric } from "./agentic/goal-accuracy-metric.ts"
import { toolCallAccuracyMetric } from "./agentic/tool-call-accuracy-metric.ts"
import { topicAdherenceMetric } from "./agentic/topic-adherence-metric.ts"
import { trajectoryMetric } from "./agentic/trajectory-metric.ts"
import { checklistMetric } from "./checklist-metric.ts"
import { numberCheckMetric, stringCheckMetric } from "./check-metrics.ts"
import { codeExecutionMetric } from "./code/code-execution-metric.ts"
import { givenMetric } from "./given-metric.ts"
import { jsonSchemaMetric } from "./json-schema-metric.ts"
import { gEvalMetric } from "./judge/g-eval-metric.ts"
import { llmJudgeMetric } from "./judge/llm-judge-metric.ts"
import { loglikelihoodMetric } from "./likelihood/loglikelihood-metric.ts"
import { multipleChoiceMetric } from "./likelihood/multiple-choice-metric.ts"
import type { DefineMetric, MetricDefinition, MetricSetup } from "./metric-definition.ts"
import { answerRelevancyMetric } from "./rag/answer-relevancy-metric.ts"
import { contextPrecisionMetric } from "./rag/context-precision-metric.ts"
import { contextRecallMetric, faithfulnessMetric } from "./rag/statement-metrics.ts"
import type { MetricType } from "./metric-versions.ts"
import { pairwiseMetric } from "./pairwise/pairwise-metric.ts"
import { remoteMetric } from "./remote/remote-metric.ts"
import { accuracyMetric, exactMatchMetric, f1Metric } from "./texts/match-metrics.ts"
import { instructionMetric } from "./texts/instruction-metric.ts"
import { gsm8kMetric, mathMetric } from "./texts/mathematics-metrics.ts"
import { bleuMetric, chrfMetric, rougeMetric } from "./texts/overlap-metrics.ts"
import { terMetric } from "./texts/ter-metric.ts"
import { toolCallCheckMetric } from "./tool-call-check-metric.ts"
import { toolRelevanceMetric, toolTurnsMetric } from "./tool-turns-metric.ts"
import { toolCallingMetric } from "./tool-calling-metric.ts"
import { usageLimitMetric } from "./usage-limit-metric.ts"
import { costMetric, latencyMetric, tokensMetric } from "./usage-metrics.ts"

/** A new type needs its version in `metric-versions.ts`. */
const METRICS: Readonly<Record<MetricType, DefineMetric>> = {
  "exact-match": exactMatchMetric,
  em: exactMatchMetric,
  f1: f1Metric,
  accuracy: accuracyMetric,
  "string-check": stringCheckMetric,
  "number-check": numberCheckMetric,
  bleu: bleuMetric,
  rouge: rougeMetric,
  chrf: chrfMetric,
  ter: terMetric,
  gsm8k: gsm8kMetric,
  math: mathMetric,
  ifeval: instructionMetric,
  "code-execution": codeExecutionMetric,
  "tool-calling": toolCallingMetric,
  "tool-call-ast": toolCallCheckMetric,
  "tool-call-turns": toolTurnsMetric,
  "tool-call-relevance": toolRelevanceMetric,
  "llm-judge": llmJudgeMetric,
  "g-eval": gEvalMetric,
  pairwise: pairwiseMetric,
  "json-schema": jsonSchemaMetric,
  loglikelihood: loglikelihoodMetric,
  "multiple-choice": multipleChoiceMetric,
  latency: latencyMetric,
  tokens: tokensMetric,
  cost: costMetric,
  "usage-limit": usageLimitMetric,
  calls: callsMetric,
  state: stateMetric,
  remote: remoteMetric,
  given: givenMetric,
  checklist: (setup) => checklistMetric(setup, defineMetric),
  tool_call_accuracy: toolCallAccuracyMetric,
  agent_goal_accuracy_with_reference: goalAccuracyMetric,
  agent_goal_accuracy_without_reference: goalAccuracyMetric,
  topic_adherence: topicAdherenceMetric,
  answer_accuracy: answerAccuracyMetric,
  trajectory_evaluation: trajectoryMetric,
  faithfulness: faithfulnessMetric,
  answer_relevancy: answerRelevancyMetric,
  context_precision: contextPrecisionMetric,
  context_recall: contextRecallMetric,
}

/** Defines a metric of any type. @throws `invalid_request` for an unknown type, with similar ones; what the metric itself throws */
export function defineMetric(setup: MetricSetup): MetricDefinition {
  const define = Object.hasOwn(METRICS, setup.type) ? METRICS[setup.type as MetricType] : undefined
  if (define !== undefined) return define(setup)
  const types = Object.keys(METRICS)
  const near = nearestNames(setup.type, types)
  const advice = near.length === 0 ? `use one of ${types.join(", ")}` : `did you mean '${near.join("' or '")}'?`
  const path = setup.name.replace(/\.params$/, ".type").split(".")
  throw invalidRequest(path, `'${setup.type}' is not a metric; ${advice}`, "enum", setup.type)
}

/** An object with a record of which of its keys were read. */
interface WatchedReads<T extends object> {
  readonly value: T
  /** The keys that were read or tested so far, whether they exist or not. */
  readonly read: ReadonlySet<string>
}

/** Records which keys of `value` are read. Reading all keys at once, as a spread does, counts as reading each. */
export function watchReads<T extends object>(value: T): WatchedReads<T> {
  const read = new Set<string>()
  const note = (key: string | symbol) => {
    if (typeof key === "string") read.add(key)
  }
  const watched = new Proxy(value, {
    get: (target, key) => {
      note(key)
      return Reflect.get(target, key) as unknown
    },
    has: (target, key) => {
      note(key)
      return Reflect.has(target, key)
    },
  })
  return { value: watched, read }
}
