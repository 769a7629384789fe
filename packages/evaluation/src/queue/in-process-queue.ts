import { createJobSlots, type JobQueue, type JobSlots } from "./job-queue.ts"

/** A queue of this process alone, for the one server of an embedded database. Jobs are given out in the order of their coming. */
export function createInProcessQueue(): JobQueue {
  const waiting = new Set<string>()
  let slots: JobSlots | undefined

  function giveOut(): void {
    if (slots === undefined) return
    for (const jobId of waiting) {
      if (slots.free() <= 0) return
      // One that is asked for again while it still runs here waits for its turn.
      if (slots.has(jobId)) continue
      waiting.delete(jobId)
      slots.give(jobId)
    }
  }

  return {
    enqueue(jobId) {
      waiting.add(jobId)
      giveOut()
      return Promise.resolve()
    },
    start(handler, { concurrency }) {
      slots = createJobSlots(handler, concurrency, giveOut)
      giveOut()
      return Promise.resolve()
    },
    close() {
      slots = undefined
      return Promise.resolve()
    },
  }
}
