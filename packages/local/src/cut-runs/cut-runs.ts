import { checkRecordingDigest, planRecording } from "../local-recording.ts"
import { createRunFolder } from "../runs/run-folder.ts"
import { failedRun } from "./failed-run.ts"
import { findCutRun } from "./find-cut-run.ts"
import { cutLocally, isSameLocally, mergeLocally, runShardLocally } from "./local-processes.ts"
import { readMergedRun } from "./merged-run.ts"
import { openRunPaces } from "./open-run-paces.ts"
import { countRows, indexOfShard, openRunState, readRunState, findPlan, readPlan, openRunStore } from "@assay/executors"
import { reopenFailedShards } from "./reopen-shards.ts"

/**
 * Runs that are cut into shards. A shard is a pure unit of work: a plan, ranges of rows and an attempt give a segment of rows, and all segments
 * give the results. A folder or a bucket is all that its processes share, and any engine starts them.
 */
export const cutRuns = Object.freeze({
  open: openRunStore,
  cut: cutLocally,
  indexOf: indexOfShard,
  runShard: runShardLocally,
  openPaces: openRunPaces,
  merge: mergeLocally,
  merged: readMergedRun,
  failed: failedRun,
  plan: readPlan,
  planRecording,
  checkRecordingDigest,
  countRows,
  findPlan,
  isSame: isSameLocally,
  find: findCutRun,
  reopenFailed: reopenFailedShards,
  createFolder: createRunFolder,
  state: readRunState,
  openState: openRunState,
})
