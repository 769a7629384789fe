export { engineRuns } from "./engine-runs.ts"
export type { ShardProcess } from "./executor.ts"
export { lastSubmissions } from "./follow/missing-shards.ts"
export type { EnginePorts, EngineRequest, EngineRun } from "./open-engine-run.ts"
export type { ExecutorProfile } from "./profiles/read-profile.ts"
export { createChangedFiles } from "./run/changed-files.ts"
export { type ConditionFinder, type ConditionFindings, isConditionFindings } from "./run/condition-findings.ts"
export { readDecisions, removeDecisions, writeDecision } from "./run/gate-decisions.ts"
export { indexOfShard } from "./run/index-of-shard.ts"
export { MERGED, readMergedRecord } from "./run/merged-record.ts"
export { quoteForShell } from "./run/quote-for-shell.ts"
export { openRunState, readRunState, type RunState, type RunStateReader, type ShardState } from "./run/run-state.ts"
export {
  listFiles,
  oneOf,
  openRunFolder,
  openRunStore,
  readJson,
  readRecord,
  runFiles,
  type RunStore,
  shardOfFile,
  writeJson,
} from "./run/run-store.ts"
export { countFailures, listLastFailures, noteFailure, readFailure } from "./run/shard-failures.ts"
export {
  type CopiedDataset,
  type CopiedFile,
  findPlan,
  hasPlan,
  type PlannedRecording,
  readPlan,
  type ShardPlan,
  writePlan,
} from "./run/shard-plan.ts"
export { openAllProgress, readProgress, type ShardProgress, writeProgress } from "./run/shard-progress.ts"
export {
  listDone,
  publishRecord,
  readShardRecord,
  shardDamaged,
  type ShardEnd,
  type ShardRecord,
} from "./run/shard-record.ts"
export {
  countRows,
  isLane,
  type LaneRange,
  laneTasks,
  type RowRange,
  rowsOf,
  type TaskRange,
  unitsOf,
} from "./run/task-range.ts"
