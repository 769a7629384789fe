// The parts that a server creates at its start. The code that runs jobs is loaded with the first request that needs it.
export { createEvaluationService, type EvaluationService } from "./service/evaluation-service.ts"
export { createEvaluationRows } from "./service/evaluation-rows.ts"
export type { CallerDocuments } from "./service/caller-documents.ts"
export { createEvaluations, type Evaluations, type SteerJob } from "./service/evaluations.ts"
export type { JobCaller } from "./service/job-caller.ts"
export { paceInference, type PacedInference } from "./service/pace-inference.ts"
export { openWebhooks } from "./webhooks/open-webhooks.ts"
export type { WebhookAnswer } from "./webhooks/send-webhooks.ts"
