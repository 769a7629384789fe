import { createConditionFinder } from "@assay/results"
import { printable } from "@assay/schemas"
import { describeProgress, NO_PROGRESS } from "../../attempt/job-progress.ts"
import type { MergedRun } from "../../cut-runs/merged-run.ts"
import type { RunStore } from "../../cut-runs/store/run-store.ts"
import type { FollowEnd } from "./follow-run.ts"

type Failed = Extract<FollowEnd, { readonly kind: "failed" }>

/** Characters of a line of output that a message repeats. */
const SHOWN = 500

/**
 * Returns the end of a run of which a shard could not be asked: its message, and the conditions that its processes found.
 * @param lastLine the line that its process wrote about it, for a process that ended without saying why
 */
export function failedRun(
  { location, folder }: RunStore,
  { shard: { index, by, reason, isHopeless = false }, run }: Failed,
  { now, lastLine }: { readonly now: () => number; readonly lastLine: string | undefined },
): MergedRun {
  const failure = run.shards[index]?.failure
  const finder = createConditionFinder({ now })
  if (failure !== undefined) finder.addFindings(failure.findings)
  const wrote = lastLine === undefined ? "" : `: ${printable(lastLine).slice(0, SHOWN)}`
  const why =
    failure?.message ?? `its process ended without rows (${printable(reason ?? "the engine does not say why")})${wrote}`
  const tries = 1 + (isHopeless ? Math.max(0, by?.round ?? 0) : (by?.retries ?? 0))
  const message = `Shard ${index} failed ${tries === 1 ? "" : `${tries} times, the last time `}because: ${why}`
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
