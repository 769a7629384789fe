export type { DocumentBody } from "./documents/document-body.ts"
export { checkReferences } from "./launch/check-references.ts"
export { readLaunchFacts, type LaunchFacts } from "./launch/launch-facts.ts"
export { checkLaunch, type CheckLaunchOptions } from "./launch/checks/check-launch.ts"
export {
  LAUNCH_CHECKS,
  launchRefused,
  type FailedCheck,
  type LaunchCheck,
  type LaunchReport,
} from "./launch/checks/check-run.ts"
export { isLargeRun } from "./launch/checks/estimate-job.ts"
export { evaluateLive } from "./launch/evaluate-live.ts"
export { launchJob, type LaunchContext, type LaunchOptions } from "./launch/launch-job.ts"
export { streamChecks } from "./launch/stream-checks.ts"
export type { LaunchPorts, LaunchSubject } from "./launch/launch-ports.ts"
export { scoreJob, type ScoreContext } from "./launch/score-job.ts"
export { compareStoredJobs, type CompareStoredOptions } from "./outputs/job-results.ts"
export { followEvents, type FollowOptions } from "./outputs/job-events.ts"
export { jobLog, type JobLogOptions } from "./outputs/job-events.ts"
export { archiveOf, logArchiveOf, resultOf, type JobResultsOptions } from "./outputs/job-results.ts"
export { createInProcessQueue } from "./queue/in-process-queue.ts"
export type { JobHandler, JobQueue } from "./queue/job-queue.ts"
export { openPgBossQueue, type PgBossQueueOptions } from "./queue/pg-boss-queue.ts"
export type { JobSetting, OpenJobSetting, ResultsToPublish } from "./runner/job-setting.ts"
export { runEvaluation, type Evaluate, type RunEvaluationOptions } from "./runner/run-evaluation.ts"
export { startRunner, type Runner, type RunnerLog, type RunnerOptions } from "./runner/start-runner.ts"
export { createHostEnvironment, type HostEnvironmentOptions } from "./service/host-environment.ts"
export { rightsOfGrants, type JobRights } from "./jobs/job-rights.ts"
export type { GuardrailSource, JobHost } from "./service/job-host.ts"
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
