import type { EvaluationRow } from "@assay/schemas"
import type { RunnableJob } from "../../jobs/runnable-job.ts"
import type { BoundMetric, TaskPlan } from "../../plan/task-plan.ts"
import { isFatal } from "../failures.ts"
import type { Due } from "./unit-index.ts"

/** The round that a plan is run for. */
export type Round = Pick<RunnableJob, "attempt" | "scope">

/**
 * What a round has to do about a row that the journal has. A failure of the job's own, such as a refused key, leaves its row
 * without an answer: every round asks it again. A row that lacks scores of a metric, since the round that added it was stopped,
 * gets them in any round. What this very round has done already stays, so that it can be taken up anew.
 */
export function dueOfLine(row: EvaluationRow, task: TaskPlan, { scope, attempt }: Round): Due {
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

/** Whether an answered row lacks scores of a metric although none failed. */
function isIncomplete({ error, sample, scores }: EvaluationRow, { metrics }: TaskPlan): boolean {
  return error === null && sample !== null && metrics.some(({ key }) => scores[key] === undefined)
}

/** The metrics that a round scores for a row that is due. */
export function dueMetrics(row: EvaluationRow, task: TaskPlan, { scope }: Round): readonly BoundMetric[] {
  if (scope.kind === "score") {
    const added = scope.metrics[task.name] ?? {}
    const isWhole = !isIncomplete(row, task)
    return task.metrics.filter(({ key }) => Object.hasOwn(added, key) || (!isWhole && row.scores[key] === undefined))
  }
  return task.metrics.filter(({ key }) => row.scores[key] === undefined)
}
