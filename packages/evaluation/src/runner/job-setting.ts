import type { JobEnd, JobRun } from "@assay/registry"
import type { Journal } from "../journal/journal.ts"
import type { JobEnvironment } from "../job-environment.ts"
import type { RunOutcome } from "../jobs/job-progress.ts"

/** What one job is run with: opened when it is taken up, closed when it was put down. */
export interface JobSetting {
  readonly environment: JobEnvironment
  readonly journal: Journal
  /** Where its results will lie; null: nowhere. */
  readonly filesUrl: string | null
  /** Writes the results of a round that has ended, where nobody sees them yet. @throws what stands in the way */
  stageResults(outcome: RunOutcome, signal: AbortSignal): Promise<ResultsToPublish>
  close(): Promise<void>
}

/** Results that are written, and are seen once the job has ended with them. */
export interface ResultsToPublish {
  /** What the end of the job is told. */
  readonly results: NonNullable<JobEnd["results"]>
  /** Clears away what is not needed: what was replaced, or these results where the job did not end with them. */
  settle(arePublished: boolean): Promise<void>
}

/** @throws what stands in the way: the job fails with it */
export type OpenJobSetting = (run: JobRun) => Promise<JobSetting>
