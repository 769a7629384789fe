import type { JobEnvironment } from "../job-environment.ts"
import { type JobProgress, tokenSums } from "@assay/results"
import type { TaskRun } from "./attempt/task-run.ts"

/** Reports the progress of a job, at most four times a second. */
export interface Progress {
  /** Records a change. It is reported within `REPORT_MS`. */
  changed(): void
  /** Reports at once. */
  report(): void
  /** Sends the last report. */
  end(): void
}

const REPORT_MS = 250

export function createProgress(
  runs: readonly TaskRun[],
  { now, sleep }: Pick<JobEnvironment, "now" | "sleep">,
  onProgress: (progress: JobProgress) => void,
): Progress {
  const ended = new AbortController()
  let reportedAt = -Infinity
  let isWaiting = false

  function report(): void {
    reportedAt = now()
    onProgress(progressOf(runs))
  }

  /** Reports the last rows before a long wait, which would otherwise stay unreported until the wait is over. */
  async function reportLater(ms: number): Promise<void> {
    isWaiting = true
    await sleep(ms, ended.signal).catch(() => {})
    isWaiting = false
    if (!ended.signal.aborted) report()
  }

  return {
    changed() {
      const wait = reportedAt + REPORT_MS - now()
      if (wait <= 0) report()
      else if (!isWaiting) void reportLater(wait)
    },
    report,
    end() {
      ended.abort()
      report()
    },
  }
}

/** Returns the progress of a job from the numbers of its tasks. */
export function progressOf(runs: readonly TaskRun[]): JobProgress {
  const sum = (value: (run: TaskRun) => number) => runs.reduce((total, run) => total + value(run), 0)
  const watches = runs.flatMap(({ watch }) => (watch === undefined ? [] : [watch]))
  const means = runs.flatMap(({ task, tally }) =>
    [...tally.means()].map(([score, mean]) => [`${task.name}.${score}`, mean] as const),
  )
  return {
    processed: sum(({ tally }) => tally.processed),
    asked: askedRows(runs),
    total: runs.every(({ total }) => total !== null) ? sum(({ total }) => total ?? 0) : null,
    units: Object.fromEntries(runs.map(({ task, total }) => [task.name, total])),
    failed: sum(({ tally }) => tally.failed),
    standing: sum(({ failures }) => failures.standing),
    tasks: Object.fromEntries(runs.map(({ task, status }) => [task.name, status])),
    means: Object.fromEntries(means),
    tokens: sumOfTokens(runs),
    ...(watches.length === 0 ? {} : { gates: watches.flatMap((watch) => watch.states()) }),
    ...earlyStopOf(runs),
  }
}

/** Returns how many requests for rows were sent in all attempts. Rows whose output is in the dataset send none. */
export function askedRows(runs: readonly TaskRun[]): number {
  const sent = runs.map(({ task, answered, unanswered }) => (task.ask.kind === "call" ? answered + unanswered : 0))
  return sent.reduce((sum, count) => sum + count, 0)
}

/** Returns the tokens of all answers to the rows of several tasks. */
export function sumOfTokens(runs: readonly TaskRun[]): JobProgress["tokens"] {
  return runs.reduce((sum, { tally }) => tokenSums.add(sum, tally.tokens), tokenSums.none)
}

function earlyStopOf(runs: readonly TaskRun[]): Pick<JobProgress, "stoppedEarly"> {
  const stopped = runs.find(({ isStoppedEarly }) => isStoppedEarly === true)
  if (stopped?.watch === undefined) return {}
  const rowsOf = (units: (run: TaskRun) => number) =>
    runs.reduce((rows, run) => rows + Math.ceil(units(run) / run.task.repeats), 0)
  const rows = rowsOf(({ tally }) => tally.processed)
  return { stoppedEarly: { rows, rows_total: rowsOf(({ total }) => total ?? 0), order_seed: stopped.watch.order.seed } }
}
