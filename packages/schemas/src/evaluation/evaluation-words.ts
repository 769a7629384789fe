import { JOB_STATUSES, type JobStatus } from "./evaluation-job.ts"

/** What clients of the first version know of a job that waits: they take every other word for a failure. */
const WAITING = "created"

/** The word for a job's status that clients of the first version compare with. */
export function vendorJobStatus(status: JobStatus): string {
  return status === "CREATED" || status === "PENDING" ? WAITING : status.toLowerCase()
}

/** The statuses that a word means, in any case; none where there is no such word. `created` means all that wait. */
export function jobStatusesOf(word: string): readonly JobStatus[] {
  const lower = word.toLowerCase()
  return JOB_STATUSES.filter((status) => status.toLowerCase() === lower || vendorJobStatus(status) === lower)
}
