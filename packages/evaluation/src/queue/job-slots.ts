import type { JobHandler } from "./job-queue.ts"

/** Jobs that are given out, so many at a time. */
export interface JobSlots {
  /** How many more can be taken now. */
  free(): number
  has(jobId: string): boolean
  /** Gives a job out; `onFree` is told when it has ended. */
  give(jobId: string): void
}

export function createJobSlots(handler: JobHandler, concurrency: number, onFree: () => void): JobSlots {
  const given = new Set<string>()
  return {
    free: () => concurrency - given.size,
    has: (jobId) => given.has(jobId),
    give(jobId) {
      given.add(jobId)
      void handler(jobId).finally(() => {
        given.delete(jobId)
        onFree()
      })
    },
  }
}
