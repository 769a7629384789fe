import type { PgBoss } from "pg-boss"
import { type Delivery, deliverMessages, type DeliveryOptions } from "./deliver-messages.ts"
import type { JobHandler, JobQueue } from "./job-queue.ts"
import { JOBS } from "./open-boss.ts"
import { SILENT_BELL } from "./queue-bell.ts"

export interface PgBossQueueOptions extends Pick<DeliveryOptions<JobMessage>, "onError" | "bell"> {
  /** Milliseconds between two looks at the queue. After an error they double, up to 10 seconds. Default 500. */
  readonly pollMs?: number | undefined
}

interface JobMessage {
  readonly jobId: string
}

/** Creates the queue of whole jobs on pg-boss. */
export function createPgBossQueue(
  boss: PgBoss,
  { onError, bell = SILENT_BELL, pollMs = 500 }: PgBossQueueOptions,
): JobQueue {
  let delivery: Delivery | undefined
  return {
    async enqueue(jobId, priority = 0) {
      await boss.send(JOBS, { jobId }, { singletonKey: jobId, priority })
      delivery?.look()
      await bell.ring(JOBS)
    },
    start(handler, { concurrency }) {
      const handle = ({ jobId }: JobMessage) => untilFree(handler, jobId)
      const own = { queue: JOBS, handler: handle, concurrency, pollMs }
      delivery = deliverMessages<JobMessage>(boss, { ...own, bell, onError })
      return Promise.resolve()
    },
    async close() {
      // The runner ends its jobs later.
      void delivery?.close()
      await delivery?.stop()
    },
  }
}

/** Returns when the slot of a job is free. From the begin of the job on, its record has its status, and the message is not needed. */
function untilFree(handler: JobHandler, jobId: string): Promise<"done"> {
  return new Promise((resolve) => {
    const free = () => resolve("done")
    void handler(jobId, free).finally(free)
  })
}
