/**
 * Keeps work on one path in order within this process. Made once and given to every storage that may reach the same
 * files: two storages with locks of their own can't see each other's writes coming.
 */
export interface PathLocks {
  /** Runs `work` when all work that was asked for earlier on `path` has ended. */
  exclusive<T>(path: string, work: () => Promise<T>): Promise<T>
  /** Runs `work` now; or, while another run on `path` is under way, once after it for all who ask meanwhile. */
  coalesce(path: string, work: () => Promise<void>): Promise<void>
}

interface Run {
  readonly ended: Promise<void>
  /** The run that those wait for who asked while this one was under way. */
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
    coalesce(path, work) {
      const run = runs.get(path)
      if (run === undefined) return start(path, work)
      run.next ??= run.ended.then(() => start(path, work))
      return run.next
    },
  }
}
