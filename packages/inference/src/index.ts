export { failureOfAnswer } from "./answers/failed-answer.ts"
export { readContent } from "./answers/read-content.ts"
export { readTokenUsage } from "./answers/read-token-usage.ts"
export { readPromptTokens, type PromptToken, type PromptTokens } from "./answers/read-prompt-tokens.ts"
export { createInferenceClient, type InferenceDefaults } from "./create-inference-client.ts"
export type { InferenceErrorCode } from "./failures/failure.ts"
export { describeFailure, type FailureDescription } from "./failures/inference-error.ts"
export { readTokenNumbers, type TokenNumbers } from "./failures/read-token-numbers.ts"
export { classifyText } from "./failures/text-signals.ts"
export type {
  CallOptions,
  ChatAnswer,
  ChatRequest,
  InferenceClient,
  Retry,
  TextRequest,
  TokenLogprob,
} from "./inference-client.ts"
export type { AnswerRoom, ConnectionOptions, InferenceContext } from "./inference-context.ts"
export type { InferenceEndpoint } from "./inference-endpoint.ts"
export { checkKeyHost, readKeyVariable, type KeyVariables } from "./key-variables.ts"
export { createRequestPacers, type HeldHost, type RequestPacers } from "./pacing/request-pacers.ts"
export type { SharedPaces } from "./pacing/shared-pace.ts"
export type { RequestPacer } from "./pacing/request-pacer.ts"
export { AnswerExcess, checkAnswerShape } from "./transport/answer-limits.ts"
export { createRateLimitWait, retryWait, type RateLimitWait } from "./retry/call-with-retry.ts"
export type { RequestMeter } from "./request-meter.ts"
export { removeSecrets } from "./remove-secrets.ts"
