import { invalidRequest, type Comparison, type EvaluationJob } from "@assay/schemas"
import { compareJobs } from "../compare/compare-jobs.ts"
import { comparableJob, type JobResultsOptions } from "./job-results.ts"

const MAX_JOBS = 10

export interface CompareStoredOptions extends JobResultsOptions {
  readonly margin: number
  /** Returns a job that the caller may see. @throws `not_found` */
  readonly findJob: (id: string) => Promise<EvaluationJob>
}

/**
 * Compares finished jobs with the first of them.
 * @throws `invalid_request` for fewer than 2 or more than 10; `not_found` for a job without a result, or that the caller may not see
 */
export async function compareStoredJobs(ids: readonly string[], options: CompareStoredOptions): Promise<Comparison> {
  if (ids.length < 2 || ids.length > MAX_JOBS) {
    const msg = `Name 2 to ${MAX_JOBS} jobs, separated by commas; ${ids.length} are there`
    throw invalidRequest(["query", "jobs"], msg, "value_error")
  }
  const jobs = []
  for (const id of ids) jobs.push(await comparableJob(await options.findJob(id), options))
  return compareJobs(jobs, { margin: options.margin, signal: options.signal })
}
