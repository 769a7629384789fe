/** Notifies the runner of a job that a worker of the same process has left the job, without a query. */
export interface WorkerExits {
  /** Calls `onExit` for each worker that leaves. Returns a function that ends it. */
  listen(jobId: string, onExit: () => void): () => void
  /** Called when a worker has left. */
  add(jobId: string): void
}

export function createWorkerExits(): WorkerExits {
  const listeners = new Map<string, Set<() => void>>()
  return {
    listen(jobId, onExit) {
      const ofJob = listeners.get(jobId) ?? new Set()
      listeners.set(jobId, ofJob.add(onExit))
      return () => {
        ofJob.delete(onExit)
        if (ofJob.size === 0 && listeners.get(jobId) === ofJob) listeners.delete(jobId)
      }
    },
    add(jobId) {
      for (const onExit of listeners.get(jobId) ?? []) onExit()
    },
  }
}
