import type { JobHandler, JobQueue } from "./job-queue.ts"

/** Creates a queue in this process, for the only server of an embedded database. Jobs are delivered by priority, and then in the order of their arrival. */
export function createInProcessQueue(): JobQueue {
  /** Priorities by the id of the job. */
  const waiting = new Map<string, number>()
  let slots: JobSlots | undefined

  function deliver(): void {
    if (slots === undefined) return
    const byPriority = [...waiting].toSorted(([, one], [, other]) => other - one)
    for (const [jobId] of byPriority) {
      if (slots.free() <= 0) return
      // A job that was added again while it runs here waits until it has ended.
      if (slots.has(jobId)) continue
      waiting.delete(jobId)
      slots.give(jobId)
    }
  }

  return {
    enqueue(jobId, priority = 0) {
      waiting.set(jobId, priority)
      deliver()
      return Promise.resolve()
    },
    start(handler, { concurrency }) {
      slots = createJobSlots(handler, concurrency, deliver)
      deliver()
      return Promise.resolve()
    },
    close() {
      slots = undefined
      return Promise.resolve()
    },
  }
}

/** The jobs that are being handled, up to a maximum. */
interface JobSlots {
  /** Returns how many more jobs can start now. */
  free(): number
  has(jobId: string): boolean
  /** Starts a job. `onFree` is called when it has ended. */
  give(jobId: string): void
}

/** Creates slots for `concurrency` jobs. Unlike a limiter, they never hold a job back: the queue keeps it until a slot is free. */
function createJobSlots(handler: JobHandler, concurrency: number, onFree: () => void): JobSlots {
  const given = new Set<string>()
  const inSlots = new Set<string>()
  return {
    free: () => concurrency - inSlots.size,
    has: (jobId) => given.has(jobId),
    give(jobId) {
      const freeSlot = (): void => {
        if (inSlots.delete(jobId)) onFree()
      }
      given.add(jobId)
      inSlots.add(jobId)
      void handler(jobId, freeSlot).finally(() => {
        given.delete(jobId)
        freeSlot()
        onFree()
      })
    },
  }
}
