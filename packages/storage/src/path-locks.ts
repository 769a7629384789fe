/**
 * Serializes work on one path within this process. Create it once and share it among all storages that may reach the
 * same files, because separate locks do not see each other's writes.
 */
export interface PathLocks {
  /** Runs `work` after all earlier work on `path` has ended. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>
  /** Returns whether `exclusive` runs work on `path`. */
  isBusy(path: string): boolean
  /** Runs `work` now. While a run on `path` is active, runs it once afterwards for all callers that ask meanwhile. */
  coalesce(path: string, work: () => Promise<void>): Promise<void>
}

interface Run {
  readonly ended: Promise<void>
  /** The next run, for callers that asked during this one. */
  next?: Promise<void>
}

export function createPathLocks(): PathLocks {
  const queues = new Map<string, Promise<void>>()
  const runs = new Map<string, Run>()

  async function start(path: string, work: () => Promise<void>): Promise<void> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const run: Run = { ended }
    runs.set(path, run)
    try {
      await work()
    } finally {
      if (run.next === undefined) runs.delete(path)
      end()
    }
  }

  return {
    async exclusive(path, work) {
      const before = queues.get(path)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      queues.set(path, ended)
      try {
        await before
        return await work()
      } finally {
        if (queues.get(path) === ended) queues.delete(path)
        end()
      }
    },
    isBusy: (path) => queues.has(path),
    coalesce(path, work) {
      const run = runs.get(path)
      if (run === undefined) return start(path, work)
      run.next ??= run.ended.then(() => start(path, work))
      return run.next
    },
  }
}
