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
export { classifyStorageError } from "./conditions/storage-finding.ts"
export { datasetFailure } from "./datasets/dataset-errors.ts"
export { filesUrlOf, parseFilesUrl, type FilesUrl } from "./datasets/files-url.ts"
export { openFilesetDataset, type FilesetSource } from "./datasets/open-fileset-dataset.ts"
export type { DocumentBody } from "./documents/document-body.ts"
export type { Journal } from "./journal/journal.ts"
export type { PlanEnd, PlanOutcome, ScoreCounts, ScoreSummary, TaskSummary } from "./results/progress/plan-outcome.ts"
export type { RunPlanOptions } from "./engine/run-options.ts"
export { runPlan } from "./engine/run-plan.ts"
export { endLeftHarnesses, removeJobFolder } from "./harness/attempt/harness-attempts.ts"
export { runHarness, type HarnessOptions } from "./harness/run-harness.ts"
export type { HarnessSandbox } from "./harness/sandbox/harness-sandbox.ts"
export { openHarnessSandbox, type OpenSandboxOptions } from "./harness/sandbox/open-harness-sandbox.ts"
export type { DatasetOptions, JobEnvironment, OpenedDataset } from "./job-environment.ts"
export {
  describeProgress,
  type JobLogLine,
  type JobProgress,
  type RunOutcome,
  type TaskStatus,
} from "./results/progress/job-progress.ts"
export type { JobScope, RunnableJob } from "./plan/runnable-job.ts"
export { openFileJournal, type FileJournalOptions } from "./journal/open-file-journal.ts"
export { readRows } from "./results/rows/read-rows.ts"
export { checkReferences } from "./launch/find-references.ts"
export { checkLaunch, type CheckLaunchOptions } from "./launch/checks/check-launch.ts"
export {
  LAUNCH_CHECKS,
  launchRefused,
  type FailedCheck,
  type LaunchCheck,
  type LaunchReport,
} from "./launch/checks/launch-report.ts"
export { isLargeRun } from "./launch/is-large-run.ts"
export { evaluateLive } from "./launch/evaluate-live.ts"
export { launchJob, type LaunchContext, type LaunchOptions } from "./launch/launch-job.ts"
export { streamChecks } from "./launch/stream-checks.ts"
export type { LaunchPorts, LaunchSubject } from "./launch/launch-ports.ts"
export { scoreJob, type ScoreContext } from "./launch/score-job.ts"
export { contentSafetyReport, type ContentSafetyReportOptions } from "./metrics/content-safety/content-safety-report.ts"
export { compareStoredJobs, type CompareStoredOptions } from "./outputs/job-results.ts"
export { followEvents, type FollowOptions } from "./outputs/job-events.ts"
export { jobLog, type JobLogOptions } from "./outputs/job-events.ts"
export { archiveOf, logArchiveOf, resultOf, type JobResultsOptions } from "./outputs/job-results.ts"
export { planJob, type PlanJobOptions } from "./plan/plan-job.ts"
export { shapePlan, type PlanShape } from "./plan/shape-plan.ts"
export type { TaskRows, TaskShape } from "./plan/task-shape.ts"
export type { PlanIssue } from "./issue-list.ts"
export { createInProcessQueue } from "./queue/in-process-queue.ts"
export type { JobHandler, JobQueue } from "./queue/job-queue.ts"
export { openPgBossQueue, type PgBossQueueOptions } from "./queue/pg-boss-queue.ts"
export { formatJobJunit, type JobJunitInput } from "./results/files/format-job-junit.ts"
export type { ResultsInput, ResultsJob, TimedLogLine } from "./results/results-input.ts"
export type { ResultsSink } from "./results/results-input.ts"
export { checkGates, type GateOutcome, type ScoreGate } from "./results/scores/check-gates.ts"
export { listScores, type NamedScore } from "./results/scores/list-scores.ts"
export { readPrices } from "./spending/read-prices.ts"
export { worstSlice } from "./results/scores/worst-slice.ts"
export { writeResults } from "./results/write-results.ts"
export type { JobSetting, OpenJobSetting, ResultsToPublish } from "./runner/job-setting.ts"
export { runEvaluation, type Evaluate, type RunEvaluationOptions } from "./runner/run-evaluation.ts"
export { startRunner, type Runner, type RunnerLog, type RunnerOptions } from "./runner/start-runner.ts"
export { createHostEnvironment, type HostEnvironmentOptions } from "./service/host-environment.ts"
export { rightsOfGrants, type JobRights } from "./jobs/job-rights.ts"
export type { GuardrailSource, JobHost } from "./service/job-host.ts"
export type { FieldRead } from "./templates/row-template.ts"
export { overridesOf, type JobOverrides } from "./local/job-overrides.ts"
export type { LocalPorts } from "./local/local-environment.ts"
export {
  checkResultsFolder,
  holdJobToCompare,
  readJobToCompare,
  readResultsFolder,
  readStoredJob,
  type ResultsFolder,
  type StoredJob,
} from "./local/results-folder.ts"
export type { AttemptListener, AttemptResult } from "./local/run-attempt.ts"
export {
  runAgain,
  checkLocally,
  runLocally,
  type LocalRunListener,
  type RunAgainOptions,
  type RunLocallyOptions,
} from "./local/run-locally.ts"
export { readFileRun, readRunRecord, type FileRun, type RunRecord } from "./local/run-record.ts"
export { checkGateNames, earlyGates, fileGates, parseGate } from "./local/score-gates.ts"
export { readReportGates } from "./local/report-gates.ts"
export { downloadResultFiles, writeResultsArchive, type ServedFiles } from "./local/download-results.ts"
export { judgeAdvice, type JudgeAdvice } from "./labels/judge-advice.ts"
export { formatScale, isOnScale, parseLabel } from "./labels/label-question.ts"
export { formatLabelSheet, parseLabelSheet, type LabelSheet } from "./labels/label-sheet.ts"
export { openLabelFile } from "./labels/label-file.ts"
export type { LabelDesk, LabelStore, QueueOptions } from "./labels/label-desk.ts"
export { openFolderLabels, type FolderLabels } from "./local/open-folder-labels.ts"
export { jobOfFile, readEvaluationFile, runName, type OpenedEvaluationFile } from "./local/file/evaluation-file.ts"
export { placeChecks, placeRefusal } from "./local/file/place-checks.ts"
export { stateOfFile } from "./local/file/file-state.ts"
export {
  checkFile,
  launchFile,
  type CheckFileOptions,
  type LaunchFileOptions,
  type LaunchServer,
} from "./local/file/launch-file.ts"
export type { RowReceiver } from "./local/file/send-rows.ts"
export { formatEvents } from "./outputs/format-events.ts"
export { presentResult } from "./outputs/present-result.ts"
