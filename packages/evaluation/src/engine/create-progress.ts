import type { JobProgress } from "../jobs/job-progress.ts"
import type { TaskRun } from "./task-run.ts"

/** Tells how far a job is, a few times a second. */
export interface Progress {
  /** Something changed. */
  changed(): void
  /** Tells at once. */
  tell(): void
}

const TELL_MS = 250

export function createProgress(
  runs: readonly TaskRun[],
  now: () => number,
  onProgress: (progress: JobProgress) => void,
): Progress {
  let toldAt = -Infinity
  const tell = (): void => {
    toldAt = now()
    onProgress(progressOf(runs))
  }
  return {
    changed() {
      if (now() - toldAt >= TELL_MS) tell()
    },
    tell,
  }
}

export function progressOf(runs: readonly TaskRun[]): JobProgress {
  const sum = (value: (run: TaskRun) => number) => runs.reduce((total, run) => total + value(run), 0)
  const means = runs.flatMap(({ task, tally }) =>
    [...tally.means()].map(([score, mean]) => [`${task.name}.${score}`, mean] as const),
  )
  return {
    processed: sum(({ tally }) => tally.processed),
    total: runs.every(({ total }) => total !== null) ? sum(({ total }) => total ?? 0) : null,
    failed: sum(({ tally }) => tally.failed),
    tasks: Object.fromEntries(runs.map(({ task, status }) => [task.name, status])),
    means: Object.fromEntries(means),
    tokens: {
      prompt: sum(({ tally }) => tally.tokens.prompt),
      completion: sum(({ tally }) => tally.tokens.completion),
    },
  }
}
