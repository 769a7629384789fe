import { formatInteger } from "@assay/reports"
import { type JobProgress, tokenSums } from "@assay/results"
import type { Condition, DatasetPin, EvaluationResult, JobStatusDetails } from "@assay/schemas"

/** The progress of a job before its first row. */
export const NO_PROGRESS: JobProgress = {
  processed: 0,
  total: null,
  failed: 0,
  tasks: {},
  means: {},
  tokens: tokenSums.none,
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
    tokens: tokenSums.record(tokens),
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
