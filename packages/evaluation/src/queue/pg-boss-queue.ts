import type { PgBoss } from "pg-boss"
import { createJobSlots, type JobQueue, type JobSlots } from "./job-queue.ts"

export interface PgBossQueueOptions {
  /** Told of what goes wrong while nobody waits; it is tried again. */
  readonly onError: (error: unknown) => void
  /** Milliseconds between two looks at the queue; more and more while it does not answer. Default 500. */
  readonly pollMs?: number
}

const QUEUE = "assay-evaluation"

/** Milliseconds between two looks at a queue that does not answer, at the most. */
const MAX_PAUSE_MS = 10_000

/** A job that was given out and lost is asked for again by whoever settles lost jobs, so pg-boss need not. */
const POLICY = { policy: "short", retryLimit: 0, deleteAfterSeconds: 60 }

/** A queue on the PostgreSQL database of `connectionString`, shared by all servers of it. Its tables are in the schema `pgboss`. */
export async function openPgBossQueue(
  connectionString: string,
  { onError, pollMs = 500 }: PgBossQueueOptions,
): Promise<JobQueue> {
  const { PgBoss: Boss } = await import("pg-boss")
  // Two connections: one is asked for jobs while the other hands one in.
  const boss = new Boss({ connectionString, max: 2, schedule: false, application_name: "assay" })
  boss.on("error", onError)
  try {
    await boss.start()
    await boss.createQueue(QUEUE, POLICY)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  let slots: JobSlots | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let pauseMs = pollMs

  async function look(): Promise<void> {
    for (const jobId of await fetchJobs(boss, slots?.free() ?? 0)) slots?.give(jobId)
    pauseMs = pollMs
  }

  /** One look at a time; the next one comes when this one has ended. */
  function lookNow(): void {
    if (slots === undefined || looking !== undefined) return
    clearTimeout(timer)
    looking = look()
      .catch((error: unknown) => {
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
        onError(error)
      })
      .finally(() => {
        looking = undefined
        if (slots !== undefined) timer = setTimeout(lookNow, pauseMs)
      })
  }

  return {
    async enqueue(jobId) {
      await boss.send(QUEUE, { jobId }, { singletonKey: jobId })
      lookNow()
    },
    start(handler, { concurrency }) {
      slots = createJobSlots(handler, concurrency, lookNow)
      lookNow()
      return Promise.resolve()
    },
    async close() {
      slots = undefined
      clearTimeout(timer)
      await looking
      await boss.stop({ graceful: false })
    },
  }
}

/** Takes jobs out of the queue. They are done with at once: from here on their records say how they stand. */
async function fetchJobs(boss: PgBoss, most: number): Promise<string[]> {
  if (most <= 0) return []
  const jobs = await boss.fetch<{ readonly jobId: string }>(QUEUE, { batchSize: most })
  if (jobs.length === 0) return []
  await boss.complete(
    QUEUE,
    jobs.map(({ id }) => id),
  )
  return jobs.map(({ data }) => data.jobId)
}
