
/** Runs a job to its end, or until it is put down. Never throws. */
export type JobHandler = (jobId: string) => Promise<void>

/**
 * Says who runs a job. It forgets and repeats: the record of a job is the truth, and whoever gets one from here claims
 * it there first.
 */
export interface JobQueue {
  /** Has a job run soon, here or elsewhere. Asked twice, it is run once. */
  enqueue(jobId: string): Promise<void>
  /** Begins to give jobs to `handler`, so many at a time. */
  start(handler: JobHandler, options: { readonly concurrency: number }): Promise<void>
  /** Gives out no more jobs. Those that were given out are the handler's to end. */
  close(): Promise<void>
}

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
