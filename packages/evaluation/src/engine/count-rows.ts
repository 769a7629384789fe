import type { Stop } from "./create-stop.ts"
import { endOfError } from "./plan-outcome.ts"
import type { TaskRun } from "./attempt/task-run.ts"

/** Rows that are being counted while others are asked. */
export interface Counting {
  /** Ends when all are counted, or could not be. */
  readonly done: Promise<void>
  cancel(): void
}

/**
 * Counts the rows of all tasks in passes of their own, and stops the job that too many failed of. What can't be counted stays
 * unknown until its rows are read: whatever is wrong with them shows there.
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
  // Nobody waits for it while rows are asked: a rejection would end the process.
  const done = countAll().catch((error: unknown) => stop.now(endOfError(error)))
  return { done, cancel: () => controller.abort() }
}
