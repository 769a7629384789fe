import { setTimeout as pause } from "node:timers/promises"
import type { Jobs } from "@assay/registry"
import type { JobQueue } from "../queue/job-queue.ts"
import { executeJob, type ExecutedJob } from "./execute-job.ts"
import type { AttemptOptions } from "./run-attempt.ts"

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

/** Starts a runner. It begins with jobs that wait, that were released, or that have lost their runner. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { jobs, queue, concurrency, log, beatMs = 1000 } = options
  const running = new Map<string, ExecutedJob>()
  const handling = new Set<Promise<void>>()
  let queued: ReadonlySet<string> = new Set()
  let looks = 0
  let isClosing = false
  const closed = new AbortController()
  let looking: Promise<void> | undefined

  async function handle(jobId: string, freeSlot: () => void): Promise<void> {
    if (isClosing) return
    const run = await jobs.claim(jobId)
    if (run === undefined) return
    log.info({ job: jobId }, "evaluation job claimed")
    const onWaiting = (): void => {
      freeSlot()
      options.onShards?.()
    }
    const job = executeJob(run, { ...options, onWaiting })
    running.set(jobId, job)
    if (isClosing) job.stop("closing")
    try {
      await job.ended
    } finally {
      running.delete(jobId)
    }
  }

  function handleSafely(jobId: string, freeSlot: () => void): Promise<void> {
    const done = handle(jobId, freeSlot)
      .catch((error: unknown) =>
        log.warn({ err: error, job: jobId }, "an evaluation job was released after an error; it is claimed again"),
      )
      .finally(() => {
        handling.delete(done)
        queued = new Set([...queued].filter((id) => id !== jobId))
      })
    handling.add(done)
    return done
  }

  async function lookForJobs(): Promise<void> {
    const lost = await jobs.settleLost()
    for (const job of lost) log.warn({ job }, "an evaluation job has lost its runner, which did not report")
    const runnable = await jobs.listRunnable(LOOK)
    const isKnown = (id: string) => running.has(id) || (queued.has(id) && !lost.includes(id))
    for (const { id, priority } of runnable) if (!isKnown(id)) await queue.enqueue(id, priority)
    looks = (looks + 1) % LOOKS_UNTIL_REPEAT
    queued = new Set(looks === 0 ? [] : runnable.map(({ id }) => id))
  }

  /** Looks for jobs, one look at a time. A server that hangs may hold a lock, and then a look waits. Beats continue in that time. */
  function look(): void {
    looking ??= lookForJobs()
      .catch((error: unknown) => {
        if (!isClosing) log.warn({ err: error }, "could not look for evaluation jobs")
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
      if (!isClosing) look()
      await pause(beatMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  await queue.start(handleSafely, { concurrency })
  const beating = beatUntilClosed()
  return {
    cancel: (jobId) => running.get(jobId)?.stop("cancelled"),
    async close() {
      isClosing = true
      // Before the queue, which may wait for its database.
      for (const job of running.values()) job.stop("closing")
      await queue.close()
      while (handling.size > 0) await Promise.all(handling)
      closed.abort()
      await Promise.all([beating, looking])
    },
  }
}
