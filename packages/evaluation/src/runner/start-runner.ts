import { setTimeout as pause } from "node:timers/promises"
import type { Jobs } from "@assay/registry"
import type { JobQueue } from "../queue/job-queue.ts"
import { executeJob, type ExecutedJob, type ExecuteOptions } from "./execute-job.ts"

/** Where a runner tells what nobody asked for. A pino logger is one. */
export interface RunnerLog {
  info(context: Readonly<Record<string, unknown>>, message: string): void
  warn(context: Readonly<Record<string, unknown>>, message: string): void
}

export interface RunnerOptions extends ExecuteOptions {
  readonly jobs: Pick<Jobs, "claim" | "settleLost" | "listRunnable">
  readonly queue: JobQueue
  /** Jobs at a time. */
  readonly concurrency: number
  readonly log: RunnerLog
  /** Milliseconds between two beats. Default 1000. */
  readonly beatMs?: number
}

/** Takes jobs up and runs them. Any number of runners can share a database. */
export interface Runner {
  /** Stops a job at once if it runs here; its record says already that it is to be cancelled. */
  cancel(jobId: string): void
  /** Puts all jobs down as they stand: the next runner goes on with them. */
  close(): Promise<void>
}

/** Waiting jobs that are looked at together. */
const LOOK = 100
/** After so many looks, what still waits is asked for once more: a queue may have lost it. */
const LOOKS_UNTIL_REPEAT = 30

/** Starts a runner. It begins with what is waiting, was put down, or has lost its runner. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { jobs, queue, concurrency, log, beatMs = 1000 } = options
  const carried = new Map<string, ExecutedJob>()
  const handling = new Set<Promise<void>>()
  let asked: ReadonlySet<string> = new Set()
  let looks = 0
  let isClosing = false
  const closed = new AbortController()
  let looking: Promise<void> | undefined

  async function handle(jobId: string): Promise<void> {
    if (isClosing) return
    const run = await jobs.claim(jobId)
    if (run === undefined) return
    log.info({ job: jobId }, "evaluation job taken up")
    const job = executeJob(run, options)
    carried.set(jobId, job)
    if (isClosing) job.stop("closing")
    try {
      await job.ended
    } finally {
      carried.delete(jobId)
    }
  }

  function handleSafely(jobId: string): Promise<void> {
    const done = handle(jobId)
      .catch((error: unknown) =>
        log.warn({ err: error, job: jobId }, "an evaluation job was dropped; it is taken up again"),
      )
      .finally(() => {
        handling.delete(done)
        asked = new Set([...asked].filter((id) => id !== jobId))
      })
    handling.add(done)
    return done
  }

  async function lookForJobs(): Promise<void> {
    const lost = await jobs.settleLost()
    for (const job of lost) log.warn({ job }, "the runner of an evaluation job was silent: it is lost")
    const runnable = await jobs.listRunnable(LOOK)
    const isKnown = (id: string) => carried.has(id) || (asked.has(id) && !lost.includes(id))
    for (const id of runnable.filter((one) => !isKnown(one))) await queue.enqueue(id)
    looks = (looks + 1) % LOOKS_UNTIL_REPEAT
    asked = new Set(looks === 0 ? [] : runnable)
  }

  /** One look at a time. A lock that a server holds which hangs may keep it waiting; the beats go on meanwhile. */
  function look(): void {
    looking ??= lookForJobs()
      .catch((error: unknown) => {
        if (!isClosing) log.warn({ err: error }, "could not look for evaluation jobs")
      })
      .finally(() => {
        looking = undefined
      })
  }

  /** Until the last job was put down: to write what was answered may take longer than a lease. */
  async function beatOn(): Promise<void> {
    while (!closed.signal.aborted) {
      // Its own leases first: while this machine slept they have run out, and yet nobody was lost.
      await Promise.all([...carried.values()].map((job) => job.beat()))
      if (!isClosing) look()
      await pause(beatMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  await queue.start(handleSafely, { concurrency })
  const beating = beatOn()
  return {
    cancel: (jobId) => carried.get(jobId)?.stop("cancelled"),
    async close() {
      isClosing = true
      await queue.close()
      for (const job of carried.values()) job.stop("closing")
      while (handling.size > 0) await Promise.all(handling)
      closed.abort()
      await Promise.all([beating, looking])
    },
  }
}
