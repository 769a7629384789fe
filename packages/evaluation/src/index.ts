export { classifyStorageError } from "./conditions/classify-storage-error.ts"
export {
  createConditionFinder,
  type ConditionFinder,
  type ConditionFinderOptions,
  type ErrorPlace,
} from "./conditions/create-condition-finder.ts"
export { explainJob, type ExplainableJob } from "./conditions/explain-job.ts"
export type { Journal } from "./engine/journal.ts"
export type { PlanEnd, PlanOutcome, ScoreCounts, ScoreSummary, TaskSummary } from "./engine/plan-outcome.ts"
export { openResponseCache, type ResponseCache } from "./engine/response-cache.ts"
export { responseKey, type AskedRequest } from "./engine/response-key.ts"
export type { RunPlanOptions } from "./engine/run-options.ts"
export { runPlan } from "./engine/run-plan.ts"
export type { DatasetOptions, EvaluationWorld, OpenedDataset } from "./evaluation-world.ts"
export type { JobLogLine, JobProgress, RunOutcome, TaskStatus } from "./jobs/job-progress.ts"
export { openFileJournal, type FileJournalOptions } from "./journal/open-file-journal.ts"
export type { JobScope, RunnableJob } from "./jobs/runnable-job.ts"
