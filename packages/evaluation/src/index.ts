export { streamArchive, type ArchiveFile } from "./archive/stream-archive.ts"
export { compareJobs, type CompareJobsOptions } from "./compare/compare-jobs.ts"
export type { JobToCompare } from "./compare/job-to-compare.ts"
export {
  createConditionFinder,
  type ConditionFinder,
  type ConditionFinderOptions,
  type ErrorPlace,
} from "./conditions/create-condition-finder.ts"
export { explainJob, type ExplainableJob } from "./conditions/explain-job.ts"
export type { FilesUrl } from "./datasets/files-url.ts"
export { isLocalPlace } from "./datasets/is-local-place.ts"
export { openFilesetDataset, type FilesetSource } from "./datasets/open-fileset-dataset.ts"
export { parseFilesUrl } from "./datasets/parse-files-url.ts"
export type { Journal } from "./journal/journal.ts"
export type { PlanEnd, PlanOutcome, ScoreCounts, ScoreSummary, TaskSummary } from "./engine/plan-outcome.ts"
export type { RunPlanOptions } from "./engine/run-options.ts"
export { runPlan } from "./engine/run-plan.ts"
export type { DatasetOptions, JobEnvironment, OpenedDataset } from "./job-environment.ts"
export type { JobLogLine, JobProgress, RunOutcome, TaskStatus } from "./jobs/job-progress.ts"
export type { JobScope, RunnableJob } from "./jobs/runnable-job.ts"
export { openFileJournal, type FileJournalOptions } from "./journal/open-file-journal.ts"
export { checkLaunch, type CheckLaunchOptions } from "./launch/check-launch.ts"
export type { FailedCheck, LaunchCheck } from "./launch/failed-check.ts"
export { findReferences, type JobReferences } from "./launch/find-references.ts"
export { launchRefused } from "./launch/launch-refused.ts"
export type { LaunchReport } from "./launch/launch-report.ts"
export type { LaunchSubject } from "./launch/launch-subject.ts"
export type { LaunchPorts } from "./launch/launch-ports.ts"
export { maskKeys } from "./launch/mask-keys.ts"
export { taskMetrics } from "./plan/task-metrics.ts"
export { storeInlineKeys, type CreateKeySecret } from "./launch/store-inline-keys.ts"
export type { FieldRead } from "./plan/field-read.ts"
export type { PlanIssue } from "./plan/plan-issue.ts"
export { planJob, type PlanJobOptions } from "./plan/plan-job.ts"
export { shapePlan, type PlanShape } from "./plan/shape-plan.ts"
export type { TaskRows, TaskShape } from "./plan/task-shape.ts"
export { createInProcessQueue } from "./queue/create-in-process-queue.ts"
export type { JobHandler, JobQueue } from "./queue/job-queue.ts"
export { openPgBossQueue, type PgBossQueueOptions } from "./queue/open-pg-boss-queue.ts"
export { formatJobJunit, type JobJunitInput } from "./results/files/format-job-junit.ts"
export type { ResultsInput, ResultsJob, TimedLogLine } from "./results/results-input.ts"
export type { ResultsSink } from "./results/results-sink.ts"
export { checkGates, type GateOutcome, type ScoreGate } from "./results/scores/check-gates.ts"
export { listScores, type NamedScore } from "./results/scores/list-scores.ts"
export { writeResults } from "./results/write-results.ts"
export { endLeftHarnesses, removeJobFolder } from "./harness/attempt/harness-attempts.ts"
export type { HarnessSandbox } from "./harness/sandbox/harness-sandbox.ts"
export { openHarnessSandbox, type OpenSandboxOptions } from "./harness/sandbox/open-harness-sandbox.ts"
export { runEvaluation } from "./run-evaluation.ts"
export { startRunner, type Runner, type RunnerLog, type RunnerOptions } from "./runner/start-runner.ts"
export { describeProgress } from "./runner/describe-progress.ts"
export type { Evaluate, RunEvaluationOptions } from "./runner/evaluate.ts"
export type { JobSetting, OpenJobSetting, ResultsToPublish } from "./runner/job-setting.ts"
export { readRows } from "./journal/read-rows.ts"
export { localDatasets, mapDatasets } from "./local/dataset-places.ts"
export { endpointKey, withKeys, type KeyVariables } from "./local/endpoint-keys.ts"
export { applyOverrides, type JobOverrides } from "./local/job-overrides.ts"
export type { LocalPorts } from "./local/local-environment.ts"
export { findLocalDataset, openLocalDataset } from "./local/open-local-dataset.ts"
export {
  checkResultsFolder,
  createFolderSink,
  readResultsFolder,
  readStoredJob,
  type ResultsFolder,
  type StoredJob,
} from "./local/results-folder.ts"
export type { AttemptListener, AttemptResult } from "./local/run-attempt.ts"
export {
  runAgain,
  runLocally,
  type LocalRunListener,
  type RunAgainOptions,
  type RunLocallyOptions,
} from "./local/run-locally.ts"
export { readRunRecord, type RunRecord } from "./local/run-record.ts"
export { checkGateNames, parseGate } from "./local/score-gates.ts"
