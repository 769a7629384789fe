import type { PgBoss } from "pg-boss"
import { openOutages, type OpenOutages } from "../runner/open-outages.ts"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import type { JobQueue } from "../queue/job-queue.ts"
import { openBoss } from "../queue/open-boss.ts"
import { createPgBossQueue } from "../queue/pg-boss-queue.ts"
import { createQueueBell, type QueueBell } from "../queue/queue-bell.ts"
import { createShardSender } from "../queue/shard-queue.ts"
import { runEvaluation } from "@assay/attempts"
import { startRunner, type RunnerLog } from "../runner/start-runner.ts"
import { createJobSettings, type JobSettingsContext } from "./job-settings.ts"
import { startShardWorkers } from "../shards/start-shard-workers.ts"
import { createShardSettings } from "./shard-settings.ts"

export interface DispatchContext extends JobSettingsContext {
  /** Whether this process runs jobs. If not, it leaves them to other processes. */
  readonly isWorker: boolean
  /** Maximum number of jobs that run here at the same time, and one less than that of shards. */
  readonly maxJobs: number
  /** Maximum number of shards of one workspace that run at the same time, over all workers. Absent: any number. */
  readonly maxShardsPerWorkspace?: number | undefined
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
  const { registry, isWorker, logger } = context
  const { sharedDatabase: database } = registry
  const onError = (error: unknown) => logger.warn({ err: error }, "the queue of evaluation jobs failed")
  const boss = database && (await openBoss(database, onError))
  const bell = database && createQueueBell(database)
  const queue = boss === undefined ? createInProcessQueue() : createPgBossQueue(boss, { bell, onError })
  const enqueue = (jobId: string, priority: number) => queue.enqueue(jobId, priority)
  const closeBoss = async () => boss?.stop({ graceful: false })
  if (!isWorker) return { enqueue, cancel: () => {}, close: closeBoss }
  const shardSender = boss && createShardSender(boss, bell)
  const { runner, workers } = await startWork({ ...context, shardSender }, { queue, boss, bell })
  return {
    enqueue,
    cancel(jobId) {
      runner.cancel(jobId)
      workers?.cancel(jobId)
    },
    async close() {
      await Promise.all([runner.close(), workers?.close()])
      await closeBoss()
    },
  }
}

interface Queues {
  readonly queue: JobQueue
  readonly boss: PgBoss | undefined
  readonly bell: QueueBell | undefined
}

/** Starts the runner of whole jobs, and the workers of shards if several servers share the database. */
async function startWork(context: DispatchContext, { queue, boss, bell }: Queues) {
  const { registry, maxJobs: concurrency, maxShardsPerWorkspace: maxPerWorkspace, logger } = context
  const { now, elapsed, telemetry } = context
  const basis = {
    jobs: registry.jobs,
    now,
    elapsed,
    telemetry,
    log: logger,
    openOutages: (...options: Parameters<OpenOutages>) => openOutages({ ...context, now: elapsed }, ...options),
  }
  const workers =
    boss &&
    startShardWorkers({
      ...basis,
      boss,
      bell,
      openSetting: createShardSettings(context),
      // While the file of a shard is being written, another one asks its rows.
      concurrency: concurrency + 1,
      maxPerWorkspace,
    })
  const runner = await startRunner({
    ...basis,
    concurrency,
    queue,
    openSetting: createJobSettings(context),
    evaluate: runEvaluation,
    async cancelOnExecutor(job) {
      if (job.config.params?.executor === undefined) return
      const { cancelJobRun } = await import("../job-engines/end-job-run.ts")
      await cancelJobRun(context.executors, job)
    },
    onShards: () => workers?.look(),
  })
  return { runner, workers }
}
