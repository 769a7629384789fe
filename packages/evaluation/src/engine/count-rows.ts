import type { TaskRun } from "./attempt/task-run.ts"
import type { Stop } from "./create-stop.ts"
import { endOfError } from "./plan-outcome.ts"

/** A count of all rows, which runs while rows are asked. */
export interface Counting {
  /** Resolves when every task is counted or can't be counted. */
  readonly done: Promise<void>
  cancel(): void
}

/**
 * Counts the rows of all tasks in separate passes, and stops the job if too many of the counted rows have failed. If the rows of a
 * task can't be counted, their number stays unknown until they are read, which then reports the fault.
 */
export function countRows(runs: readonly TaskRun[], stop: Stop, onCounted: () => void): Counting {
  const controller = new AbortController()
  const { signal } = controller
  const countAll = async (): Promise<void> => {
    for (const run of runs) {
      const count = await run.task.rows.count(signal).catch(() => undefined)
      if (signal.aborted) return
      if (count === undefined || run.total !== null) continue
      run.total = count * run.task.repeats
      const verdict = run.failures.verdict(run.total)
      if (verdict !== undefined) stop.with(verdict)
      onCounted()
    }
  }
  // Nothing awaits this while rows are asked, so a rejection would end the process.
  const done = countAll().catch((error: unknown) => stop.now(endOfError(error)))
  return { done, cancel: () => controller.abort() }
}
