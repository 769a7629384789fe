import type { EvaluationJob } from "@assay/schemas"

/** Which requests continue an ended job. */
export interface WaysToContinue {
  /** Asks the rows that were not asked. */
  readonly resume: boolean
  /** Asks the rows that failed, and those that were not asked. */
  readonly retryFailed: boolean
}

/**
 * Returns what helps a job. A resumed job keeps its failed rows: if all rows were asked, nothing is asked, which the server refuses,
 * and if too many failed, it ends at once. The server does not retry the failed rows of a cancelled job of which some were not asked.
 */
export function waysToContinue(job: Pick<EvaluationJob, "status" | "status_details">): WaysToContinue {
  const { status, status_details: details } = job
  const { samples_processed: done = 0, samples_total: total = null, samples_failed: failed = 0 } = details
  const isAsked = total !== null && done >= total
  const takesRetry = status === "COMPLETED" || status === "FAILED" || (status === "CANCELLED" && isAsked)
  const retryFailed = takesRetry && failed > 0
  return { resume: (status === "FAILED" || status === "CANCELLED") && !retryFailed, retryFailed }
}
