import type { AssayError, EvaluationRow } from "@assay/schemas"
import type { Answered } from "./answer-work.ts"
import type { Progress } from "./create-progress.ts"
import type { Stop } from "./create-stop.ts"
import { endsJob } from "./fatal-failures.ts"
import type { RunPlanOptions } from "./run-options.ts"
import type { TaskRun } from "./task-run.ts"
import type { Work } from "./work.ts"

export interface RunContext extends RunPlanOptions {
  readonly stop: Stop
  readonly progress: Progress
}

/** Failures of one kind that are told line by line; the end tells their number. */
const TOLD_FAILURES = 5

/** Takes what came of a piece of work: journals it, counts it, and stops the job that can't bear it. @throws as the journal does */
export function createSettle(run: TaskRun, context: RunContext): (work: Work, answered: Answered) => void {
  const { journal, stop, progress, onRow, onFailure, onLog } = context
  const told = new Map<string, number>()

  const tell = ({ code, message }: AssayError, row: EvaluationRow): void => {
    const count = (told.get(code) ?? 0) + 1
    told.set(code, count)
    if (count > TOLD_FAILURES) return
    const more = count === TOLD_FAILURES ? " (further ones are only counted)" : ""
    onLog({ level: "warn", message: `Task ${run.task.name}, row ${row.row_index}: ${code}: ${message}${more}` })
  }
  const noteFailure = (row: EvaluationRow, failure: AssayError | undefined): void => {
    if (row.error !== null) run.failures.note(row.error)
    if (failure !== undefined) {
      tell(failure, row)
      onFailure(failure, row)
      if (endsJob(failure)) stop.now({ kind: "failed", code: failure.code, message: failure.message })
    }
    const verdict = run.failures.verdict(run.total)
    if (verdict !== undefined) stop.with(verdict)
  }
  return (work, { row, failure }) => {
    journal.append(row)
    run.tally.settle(row, work.due, { hadError: work.hadError, hadSample: work.line !== undefined })
    if (row.error === null) run.failures.succeeded()
    else noteFailure(row, failure)
    onRow?.(row)
    progress.changed()
  }
}
