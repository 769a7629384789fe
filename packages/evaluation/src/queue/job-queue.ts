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
