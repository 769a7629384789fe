export { cutJob } from "./cut-runs/cut-job.ts"
export { cutRuns } from "./cut-runs/cut-runs.ts"
export { checkDecided } from "./cut-runs/gates/check-decided.ts"
export { readRecords, readSegments } from "./cut-runs/read-segments.ts"
export { reopenFailedShards } from "./cut-runs/reopen-shards.ts"
export { countedPlan } from "./cut-runs/shard-tasks.ts"
export { readUnfinishedRows } from "./cut-runs/unfinished-rows.ts"
export { downloadResultFiles, writeResultsArchive } from "./download-results.ts"
export { checkKeys } from "./endpoint-keys.ts"
export {
  type EvaluationFileJobs,
  jobOfFile,
  type OpenedEvaluationFile,
  readEvaluationFile,
  runName,
} from "./file/evaluation-file.ts"
export { stateOfFile } from "./file/file-state.ts"
export { servedFiles } from "./file/launch-file.ts"
export { locateFaults } from "./file/locate-checks.ts"
export { jobGates } from "./gates/job-gates.ts"
export { type JobOverrides, overridesOf } from "./job-overrides.ts"
export { localLabelFiles } from "./labels/local-label-files.ts"
export type { LocalPorts } from "./local-environment.ts"
export type { AttemptResult } from "./run-local-attempt.ts"
export { localRuns } from "./run-locally.ts"
export { runRecord } from "./runs/list-runs.ts"
export { resultsFolder } from "./runs/results-folder.ts"
export { evidenceSides } from "./evidence/evidence-sides.ts"
export type { ReadSide, SidesToBundle } from "./evidence/read-sides.ts"
export type { ReleaseRun } from "./release/plan-release.ts"
export type { ReleaseContext } from "./release/release-context.ts"
export { releases } from "./release/releases.ts"
export { testRows } from "./test-rows.ts"
