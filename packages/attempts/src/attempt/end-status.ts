import { earlyGates } from "@assay/evaluation"
import { formatInteger } from "@assay/reports"
import type { JobProgress, PlanOutcome } from "@assay/results"
import type { RunOutcome } from "./job-progress.ts"

/** Returns the status of a job whose rows have ended like this, with one sentence. */
export function endStatus(end: PlanOutcome["end"], progress: JobProgress): Pick<RunOutcome, "status" | "message"> {
  const { processed, failed } = progress
  const rows = `${formatInteger(processed)} rows`
  if (end.kind === "failed") return { status: "FAILED", message: end.message }
  if (end.kind === "aborted") return { status: "CANCELLED", message: `Stopped after ${rows}.` }
  const bad = failed === 0 ? "" : `, ${formatInteger(failed)} of them failed`
  if (end.kind === "budget") {
    const of = progress.total === null ? "" : ` of ${formatInteger(progress.total)}`
    const whose = end.workspace === undefined ? "" : ` of the budget of workspace '${end.workspace}'`
    const message = `Ended by ${end.limit}${whose} after ${formatInteger(processed)}${of} rows${bad}.`
    return { status: "COMPLETED", message }
  }
  const early = earlyGates.describeEarlyStop(progress)
  return { status: "COMPLETED", message: early === undefined ? `${rows} done${bad}.` : `${early}${bad}.` }
}
