import type { BudgetLimit, EarlyStop, JobGateState, JobStatusDetails } from "@assay/schemas"
import type { TokenSums } from "./token-sums.ts"

/** The progress of a job. */
export interface JobProgress {
  readonly processed: number
  /** The requests for rows in all attempts, also those of rows that were asked again. Absent: it is not known. */
  readonly asked?: number
  /** Null until the rows are counted. */
  readonly total: number | null
  /** The units of each task: its rows times their repeats. Null: they are not counted. Absent: it is not known. */
  readonly units?: Readonly<Record<string, number | null>>
  readonly failed: number
  /** The failed rows that this attempt does not repeat. Absent: all of them. */
  readonly standing?: number
  readonly tasks: Readonly<Record<string, "pending" | "running" | "completed" | "failed">>
  /** Running means by `task.metric.score`. */
  readonly means: Readonly<Record<string, number>>
  /** Tokens of all answers so far. */
  readonly tokens: TokenSums
  /** The cost of these tokens; null if the model has no price, or if the tokens are not known. Absent: there are no prices, or no model is asked. */
  readonly cost?: JobStatusDetails["cost"]
  /** While the job runs, the early gates; at its end, all gates. Absent: it has none. */
  readonly gates?: readonly JobGateState[]
  /** Present if the job ended because its gates were decided. */
  readonly stoppedEarly?: EarlyStop
  /** The limit that ended the job. */
  readonly budgetExhausted?: BudgetLimit
}

/** A line of a job's log. */
export interface JobLogLine {
  readonly level: "info" | "warn" | "error"
  readonly message: string
}
