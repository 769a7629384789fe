import { setTimeout as pause } from "node:timers/promises"
import type { Jobs } from "@assay/job-store"
import type { JobQueue } from "../queue/job-queue.ts"
import { executeJob, type ExecutedJob } from "./execute-job.ts"
import type { AttemptOptions } from "./run-leased-attempt.ts"

/** The log of a runner. A pino logger is one. */
export interface RunnerLog {
  info(context: Readonly<Record<string, unknown>>, message: string): void
  warn(context: Readonly<Record<string, unknown>>, message: string): void
}

export interface RunnerOptions extends AttemptOptions {
  readonly jobs: Pick<Jobs, "claim" | "settleLost" | "listRunnable">
  readonly queue: JobQueue
  /** Maximum number of jobs at the same time. */
  readonly concurrency: number
  /** Called when a job of this runner was opened for workers. */
  readonly onShards?: (() => void) | undefined
  readonly log: RunnerLog
  /** Milliseconds between two beats. Default 1000. */
  readonly beatMs?: number | undefined
}

/** Claims jobs and runs them. Any number of runners can share a database. */
export interface Runner {
  /** Stops a job at once if it runs here. Its record must be `CANCELLING` already. */
  cancel(jobId: string): void
  /** Releases all jobs. The next runner continues them. */
  close(): Promise<void>
}

/** Maximum number of waiting jobs that one look finds. */
const LOOK = 100
/** Number of looks after which waiting jobs are queued again: a queue may have lost them. */
const LOOKS_UNTIL_REPEAT = 30

/** The jobs of a runner. */
interface RunnerJobs {
  readonly options: RunnerOptions
  readonly running: Map<string, ExecutedJob>
  /** The ends of all jobs that were claimed here. */
  readonly handling: Set<Promise<void>>
  /** The ids of jobs in the queue, as far as this runner knows. */
  queued: ReadonlySet<string>
  looks: number
  isClosing: boolean
}

/** Starts a runner. It begins with jobs that wait, that were released, or that have lost their runner. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { queue, concurrency, log, beatMs = 1000 } = options
  const runner: RunnerJobs = {
    options,
    running: new Map(),
    handling: new Set(),
    queued: new Set(),
    looks: 0,
    isClosing: false,
  }
  const { running, handling } = runner
  const closed = new AbortController()
  let looking: Promise<void> | undefined

  /** Looks for jobs, one look at a time. A server that hangs may hold a lock, and then a look waits. Beats continue in that time. */
  function look(): void {
    looking ??= lookForJobs(runner)
      .catch((error: unknown) => {
        if (!runner.isClosing) log.warn({ err: error }, "could not look for evaluation jobs")
      })
      .finally(() => {
        looking = undefined
      })
  }

  /** Beats until the last job was released: writing the last rows may take longer than a lease. */
  async function beatUntilClosed(): Promise<void> {
    while (!closed.signal.aborted) {
      // Own leases first: they ran out if this machine was suspended, although no runner was lost.
      await Promise.all([...running.values()].map((job) => job.beat()))
      if (!runner.isClosing) look()
      await pause(beatMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  await queue.start((jobId, freeSlot) => handleSafely(runner, jobId, freeSlot), { concurrency })
  const beating = beatUntilClosed()
  return {
    cancel: (jobId) => running.get(jobId)?.stop("cancelled"),
    async close() {
      runner.isClosing = true
      // Before the queue, which may wait for its database.
      for (const job of running.values()) job.stop("closing")
      await queue.close()
      while (handling.size > 0) await Promise.all(handling)
      closed.abort()
      await Promise.all([beating, looking])
    },
  }
}

/** Claims a job of the queue and runs it to its end. An error releases it. */
function handleSafely(runner: RunnerJobs, jobId: string, freeSlot: () => void): Promise<void> {
  const { handling } = runner
  const done = handle(runner, jobId, freeSlot)
    .catch((error: unknown) =>
      runner.options.log.warn(
        { err: error, job: jobId },
        "an evaluation job was released after an error; it is claimed again",
      ),
    )
    .finally(() => {
      handling.delete(done)
      runner.queued = new Set([...runner.queued].filter((id) => id !== jobId))
    })
  handling.add(done)
  return done
}

async function handle(runner: RunnerJobs, jobId: string, freeSlot: () => void): Promise<void> {
  const { options, running } = runner
  if (runner.isClosing) return
  const run = await options.jobs.claim(jobId)
  if (run === undefined) return
  options.log.info({ job: jobId }, "evaluation job claimed")
  const onWaiting = (): void => {
    freeSlot()
    options.onShards?.()
  }
  const job = executeJob(run, { ...options, onWaiting })
  running.set(jobId, job)
  if (runner.isClosing) job.stop("closing")
  try {
    await job.ended
  } finally {
    running.delete(jobId)
  }
}

/** Settles jobs that lost their runner, and queues jobs that wait. */
async function lookForJobs(runner: RunnerJobs): Promise<void> {
  const { jobs, queue, log } = runner.options
  const lost = await jobs.settleLost()
  for (const job of lost) log.warn({ job }, "an evaluation job has lost its runner, which did not report")
  const runnable = await jobs.listRunnable(LOOK)
  const isKnown = (id: string) => runner.running.has(id) || (runner.queued.has(id) && !lost.includes(id))
  for (const { id, priority } of runnable) if (!isKnown(id)) await queue.enqueue(id, priority)
  runner.looks = (runner.looks + 1) % LOOKS_UNTIL_REPEAT
  runner.queued = new Set(runner.looks === 0 ? [] : runnable.map(({ id }) => id))
}
