export { cutRuns } from "./cut-runs/cut-runs.ts"
export type { DocumentBody } from "./documents/document-body.ts"
export type { FailedCheck } from "./launch/checks/check-run.ts"
export { isLargeRun } from "./launch/checks/estimate-job.ts"
export { launchJob, type LaunchContext } from "./launch/launch-job.ts"
export type { LaunchSubject } from "./launch/launch-ports.ts"
export { streamChecks } from "./launch/stream-checks.ts"
export { downloadResultFiles, writeResultsArchive } from "./local/download-results.ts"
export { checkKeys } from "./local/endpoint-keys.ts"
export {
  type EvaluationFileJobs,
  jobOfFile,
  type OpenedEvaluationFile,
  readEvaluationFile,
  runName,
} from "./local/file/evaluation-file.ts"
export { stateOfFile } from "./local/file/file-state.ts"
export { servedFiles } from "./local/file/launch-file.ts"
export { locateFaults } from "./local/file/locate-checks.ts"
export { jobGates } from "./local/gates/job-gates.ts"
export { type JobOverrides, overridesOf } from "./local/job-overrides.ts"
export type { LocalPorts } from "./local/local-environment.ts"
export { localLabelFiles } from "./local/labels/local-label-files.ts"
export { resultsFolder } from "./local/runs/results-folder.ts"
export type { AttemptResult } from "./local/run-local-attempt.ts"
export { localRuns } from "./local/run-locally.ts"
export { runRecord } from "./local/runs/list-runs.ts"
export { jobOutputs } from "./outputs/job-outputs.ts"
export { createInProcessQueue } from "./queue/in-process-queue.ts"
export { openBoss } from "./queue/open-boss.ts"
export type { OpenJobSetting } from "./runner/job-setting.ts"
export { runEvaluation } from "./runner/run-evaluation.ts"
export { startRunner } from "./runner/start-runner.ts"
export type { JobHost } from "./launch/job-host.ts"
