/** Runs a job until it ends or is released. `freeSlot` lets another job start before. Never throws. */
export type JobHandler = (jobId: string, freeSlot: () => void) => Promise<void>

/**
 * Distributes jobs to runners. A queue may forget a job or deliver it twice. The record of the job decides, so a runner claims the
 * job there first.
 */
export interface JobQueue {
  /**
   * Adds a job, which is delivered here or to another server. A job that waits already is not added again. Jobs with a higher priority are
   * delivered first. Default 0.
   */
  enqueue(jobId: string, priority?: number): Promise<void>
  /** Starts to deliver jobs to `handler`, at most `concurrency` at the same time. */
  start(handler: JobHandler, options: { readonly concurrency: number }): Promise<void>
  /** Stops the delivery. The handler continues with the delivered jobs. */
  close(): Promise<void>
}
