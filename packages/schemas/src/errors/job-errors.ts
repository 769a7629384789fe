import type { ErrorEntry } from "./error-entry.ts"

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
  harness_not_allowed: {
    status: 400,
    meaning: "Harnesses of benchmarks are not run here: they are commands, and its operator does not allow them.",
    remedy:
      "Run it with `assay eval run` on a machine of your own, or have the operator set ASSAY_HARNESS_ENVIRONMENT.",
    retry: "never",
  },
} as const satisfies Record<string, ErrorEntry>
