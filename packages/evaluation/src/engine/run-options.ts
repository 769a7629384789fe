import type { AssayError, EvaluationRow } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import type { JobLogLine, JobProgress } from "@assay/results"
import type { Journal } from "../journal/journal.ts"
import type { JobAttempt } from "./attempt/due-units.ts"
import type { BudgetWatch } from "./budget.ts"
import type { Progress } from "./create-progress.ts"
import type { Stop } from "./create-stop.ts"
import type { RequestSlots } from "./request-slots.ts"

/** The part of a budget that other runs have used. */
export interface SpentElsewhere {
  /** Rows that were asked. */
  readonly asked: number
  readonly tokens: JobProgress["tokens"]
}

/** A row that is asked. */
export type AskedRow = Pick<EvaluationRow, "task" | "row_index" | "repeat">

/** The options of `runPlan`. */
export interface RunPlanOptions {
  /** Its scope says what this attempt does. Its attempt number grows with each retry and each added metric. */
  readonly job: JobAttempt
  readonly journal: Journal
  /** Its `now` is for elapsed times. */
  readonly environment: Pick<JobEnvironment, "now" | "random" | "sleep" | "outages" | "spending" | "telemetry">
  /** Returns what tokens of the target cost; undefined if that is not known. Default: not known. */
  readonly costOf?: ((tokens: JobProgress["tokens"]) => number | undefined) | undefined
  /** Returns how much of the same budget other runs have used. Default: no other run uses it. */
  readonly spentElsewhere?: (() => SpentElsewhere) | undefined
  /** Slots for requests that this run shares with others. Default: as many as the parallelism of the task. */
  readonly slots?: RequestSlots | undefined
  /** Whether rows of the job have succeeded already in other runs. Then its first failures don't end it. Default false. */
  readonly hasSucceeded?: boolean | undefined
  /** Stops the run. Rows that were answered are in the journal, and a later run can do the rest. */
  readonly signal: AbortSignal
  /** Called up to four times a second, and at the end. */
  readonly onProgress: (progress: JobProgress) => void
  /** Called for each row that this attempt leaves as it is in the journal, before any call of `onRow`. */
  readonly onKept?: ((row: EvaluationRow) => void) | undefined
  /** Called if the rows that `onKept` got so far do not count. `onKept` then gets all kept rows again, each with its last line. */
  readonly onKeptAnew?: (() => void) | undefined
  /** Called for each line that is added to the journal. */
  readonly onRow?: ((row: EvaluationRow) => void) | undefined
  readonly onLog: (line: JobLogLine) => void
  /** Called for each request that failed and is sent again, with its row. */
  readonly onRetry?: ((error: unknown, row: AskedRow) => void) | undefined
  /** Called for each row that failed for good. */
  readonly onFailure: (error: AssayError, row: EvaluationRow) => void
}

/** The options of a run, with what its parts share. */
export interface RunContext extends RunPlanOptions {
  readonly stop: Stop
  readonly progress: Progress
  readonly budget: BudgetWatch
}
