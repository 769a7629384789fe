import { AssayError } from "../errors/assay-error.ts"
import type { JobStatus } from "./evaluation-job.ts"

/** Where each status of a job leads. Whatever is not here is a fault in the code that asks for it. */
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

/** Statuses in which nobody works on a job, and nobody will unless asked. */
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
    `A job that is ${from} can't become ${to}; it leads to ${next.join(", ")}.`,
    {
      context: { from, to },
    },
  )
}
