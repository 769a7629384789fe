import type { EvaluationRow } from "@assay/schemas"
import type { TaskStatus } from "../../jobs/job-progress.ts"
import type { TaskPlan } from "../../plan/task-plan.ts"
import type { Round } from "./due-of-line.ts"
import { createFailureLedger, type FailureLedger } from "../failures.ts"
import { createTaskTally, type TaskTally } from "../tally/task-tally.ts"
import { createUnitIndex, type UnitIndex } from "./unit-index.ts"

/** A task while its plan is run. */
export interface TaskRun {
  readonly task: TaskPlan
  /** Of what the journal knows; undefined where that is nothing. */
  index: UnitIndex | undefined
  tally: TaskTally
  failures: FailureLedger
  status: TaskStatus
  /** Units that there are; null until they are counted. */
  total: number | null
}

export function createTaskRun(task: TaskPlan, round: Round): TaskRun {
  return { task, index: undefined, status: "pending", total: null, ...freshNumbers(task, round) }
}

/** Forgets what was counted. */
export function resetNumbers(run: TaskRun, round: Round): void {
  Object.assign(run, freshNumbers(run.task, round))
}

/** Makes the index when the first line asks for it. */
export function indexOf(run: TaskRun): UnitIndex {
  run.index ??= createUnitIndex()
  return run.index
}

/** The number of a row's repeat among those of its task. */
export function unitOf(row: Pick<EvaluationRow, "row_index" | "repeat">, { repeats }: TaskPlan): number {
  return row.row_index * repeats + row.repeat
}

function freshNumbers(task: TaskPlan, { scope }: Round) {
  const mindsKept = scope.kind !== "score"
  return {
    tally: createTaskTally(task),
    failures: createFailureLedger({ task: task.name, share: task.maxFailedShare, mindsKept }),
  }
}
