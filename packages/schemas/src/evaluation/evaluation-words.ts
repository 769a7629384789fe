import { JOB_STATUSES, type JobStatus } from "./evaluation-job.ts"

/** The status of a waiting job for clients of the first version. They take unknown words for a failure. */
const WAITING = "created"

/** Returns the word for a job's status that clients of the first version compare with. */
export function vendorJobStatus(status: JobStatus): string {
  return status === "CREATED" || status === "PENDING" ? WAITING : status.toLowerCase()
}

/** Returns the statuses that a word means, in upper or lower case; none for an unknown word. `created` means all waiting jobs. */
export function jobStatusesOf(word: string): readonly JobStatus[] {
  const lower = word.toLowerCase()
  return JOB_STATUSES.filter((status) => status.toLowerCase() === lower || vendorJobStatus(status) === lower)
}
