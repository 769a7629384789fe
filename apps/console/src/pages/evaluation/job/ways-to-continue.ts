import type { EvaluationJob } from "@assay/schemas"

type JobWithRows = Pick<EvaluationJob, "status" | "status_details" | "conditions">

/** Returns the words of the button that resumes a job. */
export function resumeLabel({
  status_details: { samples_failed: failed = 0 },
}: Pick<JobWithRows, "status_details">): string {
  return failed > 0 ? "Resume with failed rows" : "Resume"
}

/** Which requests continue an ended job. */
export interface WaysToContinue {
  /** Asks the rows that were not asked, and the failed rows. */
  readonly resume: boolean
  /** Asks the rows that failed. */
  readonly retryFailed: boolean
}

/**
 * Returns what helps a job. If all rows were asked, a resumed job asks nothing, which the server refuses: failed rows are retried then, and a job whose
 * metrics scored nothing needs other metrics. If some were not asked, a resumed job asks them and its failed rows.
 */
export function waysToContinue({ status, status_details: details, conditions }: JobWithRows): WaysToContinue {
  const { samples_processed: done = 0, samples_total: total = null, samples_failed: failed = 0 } = details
  const isAsked = total !== null && done >= total
  const hasStopped = status === "FAILED" || status === "CANCELLED"
  const retryFailed = failed > 0 && (status === "COMPLETED" || (hasStopped && isAsked))
  const isScored = isAsked && conditions.some(({ code }) => code === "nothing_scored")
  return { resume: hasStopped && !retryFailed && !isScored, retryFailed }
}
