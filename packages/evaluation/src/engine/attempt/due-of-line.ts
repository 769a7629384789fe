import type { EvaluationRow } from "@assay/schemas"
import type { RunnableJob } from "../../jobs/runnable-job.ts"
import type { BoundMetric, TaskPlan } from "../../plan/task-plan.ts"
import { isFatal } from "../failures.ts"
import type { Due } from "./unit-index.ts"

/** The number of an attempt, and what it does. */
export type JobAttempt = Pick<RunnableJob, "attempt" | "scope">

/**
 * Returns what an attempt has to do for a row that is in the journal. After a failure of the job itself, such as a refused key, every
 * attempt asks the row again. If a row lacks scores of an added metric because that attempt was stopped, any attempt scores it. A row
 * that this attempt has already done stays as it is, so that a stopped attempt can resume.
 */
export function dueOfLine(row: EvaluationRow, task: TaskPlan, { scope, attempt }: JobAttempt): Due {
  if (isIncomplete(row, task)) return "scores"
  if (scope.kind === "score") {
    const isAdded = scope.metrics[row.task] !== undefined
    return isAdded && row.sample !== null && row.attempt < attempt ? "scores" : "nothing"
  }
  if (row.error === null) return "nothing"
  const isRetried = scope.kind === "retry-failed" && row.attempt < attempt
  if (!isRetried && !isFatal(row.error.code)) return "nothing"
  return row.sample === null ? "answer" : "scores"
}

/** Returns whether an answered row lacks the scores of a metric although no metric failed. */
function isIncomplete({ error, sample, scores }: EvaluationRow, { metrics }: TaskPlan): boolean {
  return error === null && sample !== null && metrics.some(({ key }) => scores[key] === undefined)
}

/** Returns the metrics that an attempt has to score for a row. */
export function dueMetrics(row: EvaluationRow, task: TaskPlan, { scope }: JobAttempt): readonly BoundMetric[] {
  if (scope.kind === "score") {
    const added = scope.metrics[task.name] ?? {}
    const isWhole = !isIncomplete(row, task)
    return task.metrics.filter(({ key }) => Object.hasOwn(added, key) || (!isWhole && row.scores[key] === undefined))
  }
  return task.metrics.filter(({ key }) => row.scores[key] === undefined)
}
