/** The log for events that no caller waits for. A pino logger fits. */
export interface BackgroundLog {
  warn(context: Readonly<Record<string, unknown>>, message: string): void
  /** Called for problems that an operator has to correct. Default: `warn` is called. */
  error?(context: Readonly<Record<string, unknown>>, message: string): void
}

/** Work that no caller waits for. Failures are logged, and `end` waits for all work when the registry is closed. */
export interface Background {
  /** `what` completes the sentence "Could not …". `signal` is aborted when the registry is closed. */
  start(what: string, work: (signal: AbortSignal) => Promise<unknown>): void
  end(): Promise<void>
}

export function createBackground(log: BackgroundLog): Background {
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
