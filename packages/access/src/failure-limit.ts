import { LRUCache } from "lru-cache"
/** Counts failures per client within a window of time. Holds at most 10,000 clients; the oldest window is dropped first. */
export interface FailureLimit {
  /** Returns the seconds until `client` may fail again; 0 if it may now. */
  secondsToWait(client: string): number
  record(client: string): void
}

const MAX_CLIENTS = 10_000

export function createFailureLimit(options: {
  readonly limit: number
  readonly windowMs: number
  readonly now: () => number
}): FailureLimit {
  // `max` would reserve memory for all clients when the server starts.
  const failures = new LRUCache<string, { count: number; since: number }>({
    maxSize: MAX_CLIENTS,
    sizeCalculation: () => 1,
  })
  const current = (client: string) => {
    // Reading does not count as use, because the client with the oldest window is dropped first.
    const entry = failures.peek(client)
    return entry !== undefined && options.now() - entry.since < options.windowMs ? entry : undefined
  }
  return {
    secondsToWait(client) {
      const entry = current(client)
      if (entry === undefined || entry.count < options.limit) return 0
      return Math.max(1, Math.ceil((entry.since + options.windowMs - options.now()) / 1000))
    },
    record(client) {
      const entry = current(client)
      if (entry !== undefined) {
        entry.count += 1
        return
      }
      failures.set(client, { count: 1, since: options.now() })
    },
  }
}
