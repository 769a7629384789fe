import { createJobSlots, type JobQueue, type JobSlots } from "./job-queue.ts"

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
