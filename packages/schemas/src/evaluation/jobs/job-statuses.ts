import { AssayError } from "../../errors/assay-error.ts"
import { JOB_STATUSES, type JobStatus } from "./evaluation-job.ts"

/** The statuses that can follow each status. A request for any other transition is a fault in our code. */
export const JOB_TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  CREATED: ["PENDING", "RUNNING", "CANCELLED", "FAILED"],
  PENDING: ["RUNNING", "CANCELLED", "FAILED"],
  RUNNING: ["COMPLETED", "FAILED", "CANCELLING", "UNAVAILABLE"],
  CANCELLING: ["CANCELLED"],
  CANCELLED: ["PENDING"],
  COMPLETED: ["PENDING"],
  FAILED: ["PENDING"],
  UNAVAILABLE: ["RUNNING", "FAILED"],
}

/** Statuses in which a job does not run, and will not run without a request. */
export const FINAL_JOB_STATUSES = ["COMPLETED", "FAILED", "CANCELLED"] as const satisfies readonly JobStatus[]

export function isFinalJobStatus(status: JobStatus): boolean {
  return (FINAL_JOB_STATUSES as readonly JobStatus[]).includes(status)
}

/** @throws `illegal_transition` */
export function checkTransition(from: JobStatus, to: JobStatus): void {
  const next = JOB_TRANSITIONS[from]
  if (next.includes(to)) return
  throw new AssayError(
    "illegal_transition",
    `A job that is ${from} can't become ${to}; it can become ${next.join(", ")}.`,
    {
      context: { from, to },
    },
  )
}

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
