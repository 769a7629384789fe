/**
 * The version of what each type of metric measures. It is part of the identity of its scores.
 *
 * Raise the version if the same row, answer and parameters can get another score than before: another formula, another normalisation or reading of the
 * answer, another built-in prompt or default of a judge. Leave it if only speed, messages or intervals change. `metric-versions.test.ts` scores rows with each
 * type, and says what to do if a score changes.
 */
export const METRIC_VERSIONS = Object.freeze({
  "exact-match": 1,
  em: 1,
  f1: 1,
  accuracy: 1,
  "string-check": 1,
  "number-check": 1,
  bleu: 1,
  rouge: 1,
  chrf: 1,
  ter: 1,
  gsm8k: 1,
  math: 1,
  ifeval: 1,
  "code-execution": 1,
  "tool-calling": 1,
  "tool-call-ast": 1,
  "tool-call-turns": 1,
  "tool-call-relevance": 1,
  "llm-judge": 1,
  "g-eval": 1,
  pairwise: 1,
  calls: 1,
  state: 1,
  "json-schema": 1,
  loglikelihood: 1,
  "multiple-choice": 1,
  latency: 1,
  tokens: 1,
  cost: 1,
  "usage-limit": 1,
  remote: 1,
  given: 1,
  checklist: 1,
  tool_call_accuracy: 1,
  agent_goal_accuracy_with_reference: 1,
  agent_goal_accuracy_without_reference: 1,
  topic_adherence: 1,
  answer_accuracy: 1,
  trajectory_evaluation: 1,
  faithfulness: 1,
  answer_relevancy: 1,
  context_precision: 1,
  context_recall: 1,
  /** The score of a simulated user: whether it kept to its facts. */
  "kept-facts": 1,
  /** The scores of a guardrail over labelled prompts. */
  content_safety: 1,
  /** The scores of rankings in `retriever` configurations. */
  ranking: 1,
})

/** The types of metrics that tasks name, and whose parameters they give. */
export type MetricType = Exclude<keyof typeof METRIC_VERSIONS, "content_safety" | "kept-facts" | "ranking">

/** Returns the version of a type of metric; null if it is not a metric of this product. */
export function metricVersion(type: string): number | null {
  return Object.hasOwn(METRIC_VERSIONS, type) ? METRIC_VERSIONS[type as keyof typeof METRIC_VERSIONS] : null
}
