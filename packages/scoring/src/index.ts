export { issueList, type IssueList, type PlanIssue } from "./issue-list.ts"
export { askPromptTokens, likelihoodParameters } from "./likelihood/ask-prompt-tokens.ts"
export {
  compileLikelihoodTemplate,
  LIKELIHOOD_TYPES,
  type LikelihoodTemplate,
  type LikelihoodType,
  type RowTexts,
} from "./likelihood/likelihood-template.ts"
export { type Continuation, likeliest, textLikelihood } from "./likelihood/text-likelihood.ts"
export type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "./metrics/bound-metric.ts"
export { contentSafetyMetric } from "./metrics/content-safety/content-safety-metric.ts"
export { contentSafetyReport } from "./metrics/content-safety/content-safety-report.ts"
export { renderGuardrailRequests } from "./metrics/content-safety/guardrail-requests.ts"
export { askGuardrail, labelledRows, openTargetGuardrail } from "./metrics/content-safety/target-guardrail.ts"
export { AGENTIC_TYPES, defineMetrics, taskMetrics } from "./metrics/define-metrics.ts"
export { scoreDefinitions } from "./metrics/judge/score-definitions.ts"
export type { MetricDefinition } from "./metrics/metric-definition.ts"
export { rankingMetric, rankingScores } from "./metrics/retriever/ranking-metric.ts"
export { RANKING_KEYS, RELEVANCE_KEYS } from "./metrics/retriever/retriever-row.ts"
export type { ReferenceTexts } from "./metrics/texts/compared-texts.ts"
export { completeAdaptively } from "./models/complete-adaptively.ts"
export { isTextEndpoint, TEXT_FORMAT } from "./models/endpoint-format.ts"
export { createModelPool, endpointKey, type OpenedModel } from "./models/model-pool.ts"
export { modelRequest } from "./models/model-request.ts"
export { readReasoningSettings } from "./models/reasoning-settings.ts"
export { type ReasoningMarks, removeReasoning } from "./models/remove-reasoning.ts"
export { callLimits, runParams, type RunParams, SENT } from "./models/run-params.ts"
export type { Ask, OnRetry } from "./rows/ask.ts"
export { givenSample } from "./rows/given-answers.ts"
export { digestNumber, outputDigest } from "./rows/output-digest.ts"
export { fieldsOf, valueText } from "./rows/row-values.ts"
export type { RowNumbers, RowSource, SourceRow } from "./rows/source-row.ts"
export type { RenderContext, ScoringContext, ScoringEnvironment } from "./scoring-context.ts"
export {
  compileRequestTemplate,
  type RenderedRequest,
  type RequestTemplate,
  rowRequest,
} from "./templates/request-template.ts"
export { type FieldRead, fieldsOfTemplates } from "./templates/row-template.ts"
