import type { GateWatch } from "../../gates/gate-watch.ts"
import type { EvaluationRow } from "@assay/schemas"
import type { JobProgress } from "@assay/results"
import type { TaskPlan } from "../../plan/task-plan.ts"
import { createFailureLedger, type FailureLedger } from "../failures.ts"
import { createTaskTally, type TaskTally } from "../tally/task-tally.ts"
import { type JobAttempt, type UnitIndex, createUnitIndex } from "./due-units.ts"

/** A task while its plan is run. */
export interface TaskRun {
  readonly task: TaskPlan
  /** The units that are in the journal; undefined if there are none. */
  index: UnitIndex | undefined
  tally: TaskTally
  failures: FailureLedger
  /** Rows with an answer. */
  answered: number
  /** Requests without an answer in all attempts, also those of rows that were asked again. */
  unanswered: number
  status: JobProgress["tasks"][string]
  /** Absent: all rows of the task are asked. */
  watch?: GateWatch | undefined
  /** Whether its gates were decided before all of its rows were asked. */
  isStoppedEarly?: boolean
  /** Whether rows of the job have succeeded in other runs. */
  readonly hasSucceeded: boolean
  /** The number of units; null until they are counted. */
  total: number | null
}

export function createTaskRun(task: TaskPlan, job: JobAttempt, hasSucceeded = false): TaskRun {
  return {
    task,
    index: undefined,
    unanswered: 0,
    status: "pending",
    total: null,
    hasSucceeded,
    ...freshNumbers(task, job, hasSucceeded),
  }
}

/** Sets the counts of rows back to zero. */
export function resetNumbers(run: TaskRun, job: JobAttempt): void {
  Object.assign(run, freshNumbers(run.task, job, run.hasSucceeded))
}

/** Returns the index of a run, which is created at the first call. */
export function indexOf(run: TaskRun): UnitIndex {
  run.index ??= createUnitIndex()
  return run.index
}

/** Returns the number of a unit (one repeat of one row) within its task. */
export function unitOf(row: Pick<EvaluationRow, "row_index" | "repeat">, { repeats }: TaskPlan): number {
  return row.row_index * repeats + row.repeat
}

function freshNumbers(task: TaskPlan, { scope }: JobAttempt, hasSucceeded: boolean) {
  const countsKept = scope.kind !== "score"
  return {
    answered: 0,
    tally: createTaskTally(task),
    failures: createFailureLedger({ task: task.name, share: task.maxFailedShare, countsKept, hasSucceeded }),
  }
}
