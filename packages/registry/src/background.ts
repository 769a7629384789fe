import type { RegistryLog } from "./registry-log.ts"

/** Work that no caller waits for. Failures are logged, and `end` waits for all work when the registry is closed. */
export interface Background {
  /** `what` completes the sentence "Could not …". `signal` is aborted when the registry is closed. */
  start(what: string, work: (signal: AbortSignal) => Promise<unknown>): void
  end(): Promise<void>
}

export function createBackground(log: RegistryLog): Background {
  const running = new Set<Promise<void>>()
  const closing = new AbortController()

  async function run(what: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    try {
      await work(closing.signal)
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, `Could not ${what}`)
    }
  }

  return {
    start(what, work) {
      const done = run(what, work).finally(() => running.delete(done))
      running.add(done)
    },
    async end() {
      closing.abort()
      await Promise.all(running)
    },
  }
}
