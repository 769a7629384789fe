import { createConditionFinder } from "@assay/results"
import { printable } from "@assay/schemas"
import { describeProgress, NO_PROGRESS } from "../../attempt/job-progress.ts"
import type { MergedRun } from "../../cut-runs/merged-run.ts"
import type { RunStore } from "../../cut-runs/store/run-store.ts"
import type { EndedShard } from "./missing-shards.ts"
import type { FailedEnd } from "./open-follower.ts"

/** Characters of a line of output that a message repeats. */
const SHOWN = 500

/**
 * Returns the end of a run of which a shard could not be asked: its message, and the conditions that its processes found.
 * @param lastLine the line that its process wrote about it, for a process that ended without saying why
 */
export function failedRun(
  { location, folder }: RunStore,
  { shard, run }: FailedEnd,
  { now, lastLine }: { readonly now: () => number; readonly lastLine: string | undefined },
): MergedRun {
  const { index, reason } = shard
  const failure = run.shards[index]?.failure
  const finder = createConditionFinder({ now })
  if (failure !== undefined) finder.addFindings(failure.findings)
  const wrote = lastLine === undefined ? "" : `: ${printable(lastLine).slice(0, SHOWN)}`
  const why =
    failure?.message ?? `its process ended without rows (${printable(reason ?? "the engine does not say why")})${wrote}`
  const message = `Shard ${index} failed ${describeTries(shard)}because: ${why}`
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

/** Says how often a shard was started, or submitted to an engine that decides itself how often it starts a process. */
function describeTries({ by, restarts = false, isHopeless = false }: EndedShard): string {
  const tries = 1 + (restarts && !isHopeless ? (by?.retries ?? 0) : Math.max(0, by?.round ?? 0))
  if (tries === 1) return ""
  return restarts ? `${tries} times, the last time ` : `although it was submitted ${tries} times, the last time `
}
