import { createJobSlots, type JobQueue, type JobSlots } from "./job-queue.ts"

/** Creates a queue in this process, for the only server of an embedded database. Jobs are delivered in the order of their arrival. */
export function createInProcessQueue(): JobQueue {
  const waiting = new Set<string>()
  let slots: JobSlots | undefined

  function deliver(): void {
    if (slots === undefined) return
    for (const jobId of waiting) {
      if (slots.free() <= 0) return
      // A job that was added again while it runs here waits until it has ended.
      if (slots.has(jobId)) continue
      waiting.delete(jobId)
      slots.give(jobId)
    }
  }

  return {
    enqueue(jobId) {
      waiting.add(jobId)
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
