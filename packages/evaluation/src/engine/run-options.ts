import type { AssayError, EvaluationRow } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import type { JobLogLine, JobProgress } from "../jobs/job-progress.ts"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import type { Journal } from "../journal/journal.ts"

export interface RunPlanOptions {
  /** Its scope says what this round does; its attempt grows with each retry and each scoring. */
  readonly job: Pick<RunnableJob, "attempt" | "scope">
  readonly journal: Journal
  readonly environment: Pick<JobEnvironment, "now" | "random" | "sleep">
  /** Stops the run: what was answered is journalled, the rest can be taken up. */
  readonly signal: AbortSignal
  /** Told a few times a second, and at the end. */
  readonly onProgress: (progress: JobProgress) => void
  /** Told of each row that this round leaves as the journal has it, before any other. */
  readonly onKept?: (row: EvaluationRow) => void
  /** What `onKept` was told does not count: it is told anew, without rows of which the journal has later lines. */
  readonly onKeptAnew?: () => void
  /** Told of each line that is added to the journal. */
  readonly onRow?: (row: EvaluationRow) => void
  readonly onLog: (line: JobLogLine) => void
  /** Told of each request that failed and is sent again. */
  readonly onRetry?: (error: unknown) => void
  /** Told of each row that failed for good. */
  readonly onFailure: (error: AssayError, row: EvaluationRow) => void
}
