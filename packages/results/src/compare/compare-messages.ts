import type { Comparison, PairLabelQueue } from "@assay/schemas"
import type { ThreadFailure } from "../threads/thread-failure.ts"
import type { CompareJobsOptions } from "./compare-jobs.ts"
import type { JobToCompare } from "./job-to-compare.ts"
import type { PairQueueOptions } from "./pair-queue.ts"

/** The work of a thread that compares jobs. */
export interface CompareWork {
  /** The jobs without their rows, as JSON: a copy between threads would change numbers that keep their text. */
  readonly jobs: string
  readonly options: Omit<CompareJobsOptions, "signal">
  /** Draw rows of the two jobs for labels instead. */
  readonly queue?: Omit<PairQueueOptions, "signal"> | undefined
}

export type DescribedJob = Omit<JobToCompare, "rows">

/** A request for the next bytes of a reading of the rows of a job, or the end of the work. */
export type FromCompareThread =
  | { readonly kind: "read"; readonly reading: number; readonly job: number }
  | { readonly kind: "done"; readonly comparison: Comparison }
  | { readonly kind: "drawn"; readonly queue: PairLabelQueue }
  | { readonly kind: "failed"; readonly failure: ThreadFailure }

/** The next bytes of a reading; null at its end. */
export interface ToCompareThread {
  readonly reading: number
  readonly bytes: Uint8Array | null
}
