import type { WorkspaceLimits } from "@assay/registry"
import { openOutages, type OpenOutages } from "../attempt/open-outages.ts"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import { openPgBossQueue } from "../queue/pg-boss-queue.ts"
import { runEvaluation } from "../runner/run-evaluation.ts"
import { startRunner, type RunnerLog } from "../runner/start-runner.ts"
import { createJobSettings, type JobSettingsContext } from "./job-settings.ts"
import { startShardWorkers } from "../shards/start-shard-workers.ts"
import { createShardSettings } from "./shard-settings.ts"

export interface DispatchContext extends JobSettingsContext {
  /** Whether this process runs jobs. If not, it leaves them to other processes. */
  readonly isWorker: boolean
  /** Maximum number of jobs that run here at the same time, and of jobs whose shards run here. */
  readonly maxJobs: number
  /** The joint limits of the jobs of each workspace, over all workers. */
  readonly limits?: WorkspaceLimits | undefined
  readonly logger: RunnerLog
}

/** The queue of jobs, and the runner of this process if it is a worker. */
export interface Dispatch {
  readonly enqueue: (jobId: string, priority: number) => Promise<void>
  /** Stops a job at once if it runs here. */
  readonly cancel: (jobId: string) => void
  /** Releases the jobs that run here. */
  close(): Promise<void>
}

export async function openDispatch(context: DispatchContext): Promise<Dispatch> {
  const { registry, isWorker, maxJobs: concurrency, limits, logger, now, elapsed, telemetry } = context
  const { sharedDatabase: database } = registry
  const onError = (error: unknown) => logger.warn({ err: error }, "the queue of evaluation jobs failed")
  const queue = database === undefined ? createInProcessQueue() : await openPgBossQueue(database, { onError })
  const enqueue = (jobId: string, priority: number) => queue.enqueue(jobId, priority)
  if (!isWorker) return { enqueue, cancel: () => {}, close: () => queue.close() }
  const basis = {
    jobs: registry.jobs,
    now,
    elapsed,
    telemetry,
    concurrency,
    log: logger,
    openOutages: (...options: Parameters<OpenOutages>) => openOutages({ ...context, now: elapsed }, ...options),
  }
  const workers =
    database === undefined
      ? undefined
      : startShardWorkers({ ...basis, openSetting: createShardSettings(context), limits })
  const runner = await startRunner({
    ...basis,
    queue,
    openSetting: createJobSettings(context),
    evaluate: runEvaluation,
    onShards: () => workers?.look(),
  })
  return {
    enqueue,
    cancel(jobId) {
      runner.cancel(jobId)
      workers?.cancel(jobId)
    },
    async close() {
      await Promise.all([runner.close(), workers?.close()])
    },
  }
}
