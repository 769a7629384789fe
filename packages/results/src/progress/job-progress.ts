import { formatInteger } from "@assay/reports"
import type {
  BudgetLimit,
  Condition,
  DatasetPin,
  EarlyStop,
  EvaluationResult,
  JobGateState,
  JobStatusDetails,
} from "@assay/schemas"
import { NO_TOKENS, type TokenSums, tokensRecord } from "./token-sums.ts"

export type TaskStatus = "pending" | "running" | "completed" | "failed"

/** The progress of a job. */
export interface JobProgress {
  readonly processed: number
  /** Null until the rows are counted. */
  readonly total: number | null
  readonly failed: number
  /** The failed rows that this attempt does not repeat. Absent: all of them. */
  readonly standing?: number
  readonly tasks: Readonly<Record<string, TaskStatus>>
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

/** The progress of a job before its first row. */
export const NO_PROGRESS: JobProgress = {
  processed: 0,
  total: null,
  failed: 0,
  tasks: {},
  means: {},
  tokens: NO_TOKENS,
}

/** A line of a job's log. */
export interface JobLogLine {
  readonly level: "info" | "warn" | "error"
  readonly message: string
}

/** The end of an attempt. */
export interface RunOutcome {
  readonly status: "COMPLETED" | "FAILED" | "CANCELLED"
  /** One sentence for `status_details.message`. */
  readonly message: string
  readonly conditions: readonly Condition[]
  readonly result: EvaluationResult | null
  readonly pins: readonly DatasetPin[]
  readonly progress: JobProgress
}

/** Returns the progress of a job in the form of its record. */
export function describeProgress(progress: JobProgress, message?: string): JobStatusDetails {
  const { processed, total, failed, tasks, means, tokens, cost, gates, stoppedEarly, budgetExhausted } = progress
  return {
    message: message ?? sentence(progress),
    task_status: { ...tasks },
    progress: total === null ? null : percent(processed, total),
    samples_processed: processed,
    samples_total: total,
    samples_failed: failed,
    means,
    tokens: tokensRecord(tokens),
    ...(cost === undefined ? {} : { cost }),
    ...(gates === undefined ? {} : { gates: [...gates] }),
    ...(stoppedEarly === undefined ? {} : { stopped_early: stoppedEarly }),
    ...(budgetExhausted === undefined ? {} : { budget_exhausted: budgetExhausted }),
  }
}

function percent(processed: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.round((1000 * processed) / total) / 10)
}

function sentence({ processed, total, failed }: JobProgress): string {
  const of = total === null ? "" : ` of ${formatInteger(total)}`
  const bad = failed === 0 ? "" : `, ${formatInteger(failed)} failed`
  return `${formatInteger(processed)}${of} rows done${bad}.`
}
