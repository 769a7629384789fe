import { loadEvaluation } from "../load-evaluation.ts"
import { createJobSettings, type JobSettingsContext } from "./job-settings.ts"
import type { RunnerLog } from "@assay/evaluation"

export interface DispatchContext extends JobSettingsContext {
  /** Of the database that servers share; undefined: it is this server's own. */
  readonly databaseUrl: string | undefined
  /** Whether this process runs jobs; else it only has others do so. */
  readonly isWorker: boolean
  readonly logger: RunnerLog
}

/** The way from a job's record to whoever runs it. */
export interface Dispatch {
  readonly enqueue: (jobId: string) => Promise<void>
  /** Stops a job at once if it runs here. */
  readonly cancel: (jobId: string) => void
  /** Puts down what runs here. */
  close(): Promise<void>
}

/** Jobs at a time: they wait for endpoints rather than compute, each with many requests in flight. */
const CONCURRENCY = 4

export async function openDispatch(context: DispatchContext): Promise<Dispatch> {
  const { registry, databaseUrl, isWorker, logger, now } = context
  const { createInProcessQueue, openPgBossQueue, runEvaluation, startRunner } = await loadEvaluation()
  const onError = (error: unknown) => logger.warn({ err: error }, "the queue of evaluation jobs failed")
  const queue = databaseUrl === undefined ? createInProcessQueue() : await openPgBossQueue(databaseUrl, { onError })
  const enqueue = (jobId: string) => queue.enqueue(jobId)
  if (!isWorker) return { enqueue, cancel: () => {}, close: () => queue.close() }
  const runner = await startRunner({
    jobs: registry.jobs,
    queue,
    openSetting: createJobSettings(context),
    evaluate: runEvaluation,
    now,
    concurrency: CONCURRENCY,
    log: logger,
  })
  return { enqueue, cancel: (jobId) => runner.cancel(jobId), close: () => runner.close() }
}
