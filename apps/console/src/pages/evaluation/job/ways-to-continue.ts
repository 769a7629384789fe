import type { EvaluationJob } from "@assay/schemas"
import { ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"

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

/** The ways to deal with a condition. */
export type Way = "resume" | "retryFailed" | "change" | "rows"

/**
 * Returns the first thing to do about a condition: to ask again if the same can succeed later, else to change the evaluation. A job whose rows have
 * all an answer needs neither: its rows are looked at.
 */
export function mainWay(job: JobWithRows, code: ErrorCode): Way {
  const { resume, retryFailed } = waysToContinue(job)
  if (!resume && !retryFailed) return "rows"
  if (ERROR_CATALOGUE[code].retry === "never") return "change"
  return retryFailed ? "retryFailed" : "resume"
}
