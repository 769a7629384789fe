import type { Condition, DatasetPin } from "@assay/schemas"
import type { Journal } from "../journal/journal.ts"
import type { JobEnvironment } from "../job-environment.ts"
import type { JobLogLine, JobProgress, RunOutcome } from "../jobs/job-progress.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"

export interface RunEvaluationOptions {
  readonly journal: Journal
  /** Stops the run: what was answered is journalled, the rest can be taken up. */
  readonly signal: AbortSignal
  /** Where the results will lie; null: nowhere. */
  readonly filesUrl: string | null
  /** Told a few times a second, and at the end. */
  readonly onProgress: (progress: JobProgress) => void
  readonly onLog: (line: JobLogLine) => void
  /** Told all that were found so far, whenever that changes. */
  readonly onConditions: (conditions: readonly Condition[]) => void
  /** Told what of the datasets is read, once they are open. */
  readonly onPins?: (pins: readonly DatasetPin[]) => void
}

/** Runs a round of a job; how it ended is data. */
export type Evaluate = (
  job: RunnableJob,
  environment: JobEnvironment,
  options: RunEvaluationOptions,
) => Promise<RunOutcome>
