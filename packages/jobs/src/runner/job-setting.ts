import type { RunOutcome, OutputsSource, RunOnExecutor } from "@assay/attempts"
import type { JobEnd, JobRun } from "@assay/registry"
import type { Outages } from "@assay/storage"
import type { JobEnvironment, Journal } from "@assay/evaluation"
import type { QueuedShards } from "../shards/queued-shards.ts"

/** The environment, the journal and the results of one job. A runner opens them for an attempt, and closes them after it. */
export interface JobSetting {
  readonly environment: JobEnvironment
  readonly journal: Journal
  /** Absent: this process runs the whole job. */
  readonly shards?: QueuedShards | undefined
  /** Absent: the job runs on no executor. */
  readonly runOnExecutor?: RunOnExecutor | undefined
  /** The job whose outputs are scored. Absent: the target is asked. */
  readonly source?: OutputsSource | undefined
  /** The address of the results; null if they are not written. */
  readonly filesUrl: string | null
  /** Writes the results of an attempt to a location that readers don't see yet. @throws the error of the storage */
  stageResults(outcome: RunOutcome, signal: AbortSignal): Promise<ResultsToPublish>
  close(): Promise<void>
}

/** Results that are written. Readers see them when the job has ended with them. */
export interface ResultsToPublish {
  /** Passed to the registry with the end of the job. */
  readonly results: NonNullable<JobEnd["results"]>
  /** Removes files: the replaced ones, or these results if the job did not end with them. */
  settle(arePublished: boolean): Promise<void>
}

/** @throws the error with which the job fails */
export type OpenJobSetting = (run: JobRun, outages: Outages) => Promise<JobSetting>
