import { createConditionFinder } from "@assay/results"
import { describeProgress, NO_PROGRESS } from "@assay/attempts"
import type { MergedRun } from "./merged-run.ts"
import type { RunState, RunStore } from "@assay/executors"

/** The end of a run of which a shard could not be asked. */
interface FailedEnd {
  readonly shard: { readonly index: number }
  readonly run: RunState
  readonly message: string
}

/** Returns the end of a run that failed as that of a merge, with the conditions that the processes of the shard found. */
export function failedRun({ location, folder }: RunStore, end: FailedEnd, now: () => number): MergedRun {
  const { shard, run, message } = end
  const failure = run.shards[shard.index]?.failure
  const finder = createConditionFinder({ now })
  if (failure !== undefined) finder.addFindings(failure.findings)
  const progress = { ...NO_PROGRESS, processed: run.processed, total: run.total, failed: run.failed }
  const conditions = finder.list()
  const outcome = { status: "FAILED" as const, message, conditions, result: null, pins: run.plan.pins, progress }
  return {
    id: run.plan.id,
    folder: folder ?? location,
    outcome,
    details: describeProgress(progress, message),
    gates: [],
  }
}
