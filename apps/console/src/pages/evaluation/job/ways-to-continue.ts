import type { EvaluationJob } from "@assay/schemas"
import { ERROR_CATALOGUE, type ErrorCode } from "@assay/schemas/errors"

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

/** What can be done about a condition. */
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
