import type { EvaluationJob } from "@assay/schemas"

type JobWithRows = Pick<EvaluationJob, "status" | "status_details">

/** Returns the words of the button that resumes a job. */
export function resumeLabel({ status, status_details: { samples_failed: failed = 0 } }: JobWithRows): string {
  return status === "FAILED" && failed > 0 ? "Resume with failed rows" : "Resume"
}

/** Which requests continue an ended job. */
export interface WaysToContinue {
  /** Asks the rows that were not asked, and the failed rows of a job that FAILED. */
  readonly resume: boolean
  /** Asks the rows that failed. */
  readonly retryFailed: boolean
}

/**
 * Returns what helps a job. If all rows were asked, a resumed job asks nothing, which the server refuses. If some were not asked, a job
 * that FAILED asks them and its failed rows when it is resumed. The server does not retry the failed rows of a cancelled job of which
 * some were not asked.
 */
export function waysToContinue(job: JobWithRows): WaysToContinue {
  const { status, status_details: details } = job
  const { samples_processed: done = 0, samples_total: total = null, samples_failed: failed = 0 } = details
  const isAsked = total !== null && done >= total
  const hasStopped = status === "FAILED" || status === "CANCELLED"
  const retryFailed = failed > 0 && (status === "COMPLETED" || (hasStopped && isAsked))
  return { resume: hasStopped && !retryFailed, retryFailed }
}
