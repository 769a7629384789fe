import type { JobRun } from "@assay/registry"
import type { Journal } from "../engine/journal.ts"
import type { EvaluationWorld } from "../evaluation-world.ts"
import type { RunOutcome } from "../jobs/job-progress.ts"

/** What one job is run with: opened when it is taken up, closed when it was put down. */
export interface JobSetting {
  readonly world: EvaluationWorld
  readonly journal: Journal
  /** Where its results will lie; null: nowhere. */
  readonly filesUrl: string | null
  /** Writes the results of a round that has ended. @throws what stands in the way */
  keepResults(outcome: RunOutcome): Promise<void>
  close(): Promise<void>
}

/** @throws what stands in the way: the job fails with it */
export type OpenJobSetting = (run: JobRun) => Promise<JobSetting>
