import type { JobStatusDetails } from "@assay/schemas"
import type { JobProgress } from "../jobs/job-progress.ts"

/** How far a job is, as its record tells it. */
export function describeProgress(progress: JobProgress, message?: string): JobStatusDetails {
  const { processed, total, failed, tasks, means, tokens } = progress
  return {
    message: message ?? sentence(progress),
    task_status: { ...tasks },
    progress: total === null ? null : percent(processed, total),
    samples_processed: processed,
    samples_total: total,
    samples_failed: failed,
    means,
    tokens,
  }
}

function percent(processed: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.round((1000 * processed) / total) / 10)
}

function sentence({ processed, total, failed }: JobProgress): string {
  const of = total === null ? "" : ` of ${total.toLocaleString("en")}`
  const bad = failed === 0 ? "" : `, ${failed.toLocaleString("en")} failed`
  return `${processed.toLocaleString("en")}${of} rows done${bad}.`
}
