import { invalidRequest, type Comparison } from "@assay/schemas"
import { loadEvaluation } from "../load-evaluation.ts"
import { findJob } from "./find-job.ts"
import { comparable, type JobResultsOptions } from "./job-results.ts"

const MAX_JOBS = 10

/**
 * Holds finished jobs against the first of them.
 * @throws `invalid_request` for fewer than two; `not_found` for one without a result, or that may not be seen
 */
export async function compareJobs(
  ids: readonly string[],
  margin: number,
  options: JobResultsOptions,
): Promise<Comparison> {
  if (ids.length < 2 || ids.length > MAX_JOBS) {
    const msg = `Name 2 to ${MAX_JOBS} jobs, separated by commas; ${ids.length} are there`
    throw invalidRequest(["query", "jobs"], msg, "value_error")
  }
  const { compareJobs: compare } = await loadEvaluation()
  const jobs = []
  for (const id of ids) {
    const job = await findJob(options.registry, id, { caller: options.caller, role: "viewer" })
    jobs.push(await comparable(job, options))
  }
  return compare(jobs, { margin, signal: options.signal })
}
