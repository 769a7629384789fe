import type { SharedDatabase } from "@assay/registry"
import type { PgBoss } from "pg-boss"
import { createJobSlots, type JobQueue, type JobSlots } from "./job-queue.ts"

export interface PgBossQueueOptions {
  /** Called with errors of the delivery, which is tried again. */
  readonly onError: (error: unknown) => void
  /** Milliseconds between two looks at the queue. After an error they double, up to 10 seconds. Default 500. */
  readonly pollMs?: number | undefined
}

const QUEUE = "assay-evaluation"

/** Maximum number of milliseconds between two looks at a queue that does not respond. */
const MAX_PAUSE_MS = 10_000

/** Without retries: a runner that finds a lost job queues it again. */
const POLICY = { policy: "short", retryLimit: 0, deleteAfterSeconds: 60 }

/**
 * Opens a queue on a PostgreSQL database, shared by all its servers. The tables are in the schema `pgboss`. It opens no
 * connections of its own.
 */
export async function openPgBossQueue(
  database: SharedDatabase,
  { onError, pollMs = 500 }: PgBossQueueOptions,
): Promise<JobQueue> {
  const { PgBoss: Boss } = await import("pg-boss")
  const boss = new Boss({ db: database, schedule: false })
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

  /** Looks for jobs, one look at a time. The next look begins after this one has ended. */
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
    async enqueue(jobId, priority = 0) {
      await boss.send(QUEUE, { jobId }, { singletonKey: jobId, priority })
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

/** Takes jobs out of the queue, and completes them there at once: from now on their records have their status. */
async function fetchJobs(boss: PgBoss, count: number): Promise<string[]> {
  if (count <= 0) return []
  const jobs = await boss.fetch<{ readonly jobId: string }>(QUEUE, { batchSize: count })
  if (jobs.length === 0) return []
  await boss.complete(
    QUEUE,
    jobs.map(({ id }) => id),
  )
  return jobs.map(({ data }) => data.jobId)
}
