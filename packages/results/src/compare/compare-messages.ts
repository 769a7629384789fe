import type { Comparison } from "@assay/schemas"
import type { ThreadFailure } from "../threads/thread-failure.ts"
import type { CompareJobsOptions } from "./compare-jobs.ts"
import type { JobToCompare } from "./job-to-compare.ts"

/** The work of a thread that compares jobs. */
export interface CompareWork {
  /** The jobs without their rows, as JSON: a copy between threads would change numbers that keep their text. */
  readonly jobs: string
  readonly options: Omit<CompareJobsOptions, "signal">
}

export type DescribedJob = Omit<JobToCompare, "rows">

/** A request for the next bytes of a reading of the rows of a job, or the end of the work. */
export type FromCompareThread =
  | { readonly kind: "read"; readonly reading: number; readonly job: number }
  | { readonly kind: "done"; readonly comparison: Comparison }
  | { readonly kind: "failed"; readonly failure: ThreadFailure }

/** The next bytes of a reading; null at its end. */
export interface ToCompareThread {
  readonly reading: number
  readonly bytes: Uint8Array | null
}
