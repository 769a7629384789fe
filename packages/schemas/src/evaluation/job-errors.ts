import type { ErrorEntry } from "../error-entry.ts"

/** What can't be done with a job as it stands. */
export const JOB_ERRORS = {
  job_not_final: {
    status: 409,
    meaning: "The job's status does not allow the operation.",
    remedy: "Wait until the job has ended, or cancel it first.",
    retry: "never",
  },
  illegal_transition: {
    status: 409,
    meaning: "A job can't go from its status to the one asked for.",
    remedy: "Look at the job's status: it was changed meanwhile.",
    retry: "never",
  },
} as const satisfies Record<string, ErrorEntry>
