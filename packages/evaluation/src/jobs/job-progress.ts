import type { Condition, DatasetPin, EvaluationResult } from "@assay/schemas"

export type TaskStatus = "pending" | "running" | "completed" | "failed"

/** How far a job is. */
export interface JobProgress {
  readonly processed: number
  /** Null until the rows are counted. */
  readonly total: number | null
  readonly failed: number
  readonly tasks: Readonly<Record<string, TaskStatus>>
  /** Running means by `task.metric.score`. */
  readonly means: Readonly<Record<string, number>>
  /** Tokens of all answers so far. */
  readonly tokens: { readonly prompt: number; readonly completion: number }
}

/** A line of a job's log. */
export interface JobLogLine {
  readonly level: "info" | "warn" | "error"
  readonly message: string
}

/** How a round ended. */
export interface RunOutcome {
  readonly status: "COMPLETED" | "FAILED" | "CANCELLED"
  /** One sentence for `status_details.message`. */
  readonly message: string
  readonly conditions: readonly Condition[]
  readonly result: EvaluationResult | null
  readonly pins: readonly DatasetPin[]
  readonly progress: JobProgress
}
