import type { Condition, DatasetPin, EvaluationJob, EvaluationResult } from "@assay/schemas"
import type { Journal } from "../journal/journal.ts"
import type { JobLogLine, JobProgress, RunOutcome } from "../jobs/job-progress.ts"
import type { ScoreGate } from "./check-gates.ts"

/** A job as its results tell of it: the whole record, or what a run without one has. */
export type ResultsJob = Pick<EvaluationJob, "id" | "namespace" | "target" | "config"> &
  Partial<
    Pick<EvaluationJob, "description" | "project" | "custom_fields" | "created_at" | "started_at" | "finished_at">
  >

/** A line of a job's log with its time. */
export interface TimedLogLine extends JobLogLine {
  /** Milliseconds since 1970, UTC. */
  readonly at: number
}

/** What is known of a job when its results are written. */
export interface ResultsInput {
  readonly job: ResultsJob
  readonly status: RunOutcome["status"]
  /** One sentence. */
  readonly message: string
  /** Null where nothing was scored. */
  readonly result: EvaluationResult | null
  readonly conditions: readonly Condition[]
  readonly pins: readonly DatasetPin[]
  /** Absent where nothing was counted. */
  readonly progress?: JobProgress
  /** Absent where there are no rows: of a harness. */
  readonly journal?: Pick<Journal, "read" | "bytes">
  readonly log: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>
  /** Versions and platform: no variable of the process. */
  readonly environment: Readonly<Record<string, unknown>>
  readonly gates?: readonly ScoreGate[]
}
