export { datasetFailure } from "./datasets/dataset-errors.ts"
export { type FilesUrl, filesUrl } from "./datasets/files-url.ts"
export {
  countFewRows,
  type FilesetSource,
  openFilesetDataset,
  pathsOfSplit,
  readFirstRows,
} from "./datasets/open-fileset-dataset.ts"
export { filesetLabels } from "./datasets/read-fileset-labels.ts"
export { earlyGates } from "./gates/early-gates.ts"
export { createConcurrencyLimit } from "./engine/concurrency-limit.ts"
export { createRequestSlots, type RequestSlots } from "./engine/request-slots.ts"
export type { RunPlanOptions } from "./engine/run-options.ts"
export { runPlan } from "./engine/run-plan.ts"
export { describeLimit } from "./engine/run-task.ts"
export type { JobEnvironment, OpenedDataset } from "./job-environment.ts"
export { rowFacts } from "./journal/row-facts.ts"
export { journalInDatabase } from "./journal/journal-in-database.ts"
export type { FileJournal, Journal } from "./journal/journal.ts"
export { openFileJournal } from "./journal/open-file-journal.ts"
export { planJob } from "./plan/plan-job.ts"
export { rescoring } from "./plan/plan-rescoring.ts"
export { renderRowRequests } from "./plan/render-row-requests.ts"
export type { JobScope, RunnableJob } from "./plan/runnable-job.ts"
export { shapePlan } from "./plan/shape-plan.ts"
export type { JobPlan, TaskPlan } from "./plan/task-plan.ts"
export type { TaskShape } from "./plan/task-shape.ts"
export { openRecording } from "./recording/open-recording.ts"
export { storedRows } from "./stored/stored-rows.ts"
export { openWorkspaceSpending } from "./workspace-spending/open-workspace-spending.ts"
export { readPrices } from "./prices/read-prices.ts"
