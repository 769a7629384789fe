import type { ShardWork } from "./executor.ts"

/** Returns the words that run a shard. @param index undefined: the engine sets it in a variable */
export function shardCommand({ program, run, options }: ShardWork, index?: number): readonly string[] {
  return [...program, "eval", "shard", run, ...(index === undefined ? [] : ["--index", String(index)]), ...options]
}

export interface MergeCommandOptions {
  /** Submit missing shards again, so often. For an engine that starts the merge when all shards have ended. */
  readonly resubmit?: number | undefined
  /** Wait for the shards, until none of them has made progress for so many minutes. For an engine that starts the merge beside the shards. */
  readonly waitMinutes?: number | undefined
}

/** Returns the words that merge the results of a run. */
export function mergeCommand(
  { program, run, options }: ShardWork,
  { resubmit, waitMinutes }: MergeCommandOptions = {},
): readonly string[] {
  return [
    ...program,
    "eval",
    "merge",
    run,
    // The merge asks nothing, and passes the options on to the shards that it submits.
    ...(resubmit === undefined ? [] : [...options, "--resubmit", String(resubmit)]),
    ...(waitMinutes === undefined ? [] : ["--wait", String(waitMinutes)]),
  ]
}
