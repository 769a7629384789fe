/** Counts failures by address within a window, in bounded memory. */
export interface FailureLimit {
  /** Seconds to wait before `address` may try again; 0 if it may now. */
  secondsToWait(address: string): number
  record(address: string): void
}

const MAX_ADDRESSES = 10_000

export function createFailureLimit(options: {
  readonly limit: number
  readonly windowMs: number
  readonly now: () => number
}): FailureLimit {
  const failures = new Map<string, { count: number; since: number }>()
  const current = (address: string) => {
    const entry = failures.get(address)
    return entry !== undefined && options.now() - entry.since < options.windowMs ? entry : undefined
  }
  return {
    secondsToWait(address) {
      const entry = current(address)
      if (entry === undefined || entry.count < options.limit) return 0
      return Math.max(1, Math.ceil((entry.since + options.windowMs - options.now()) / 1000))
    },
    record(address) {
      const entry = current(address)
      if (entry !== undefined) {
        entry.count += 1
        return
      }
      failures.delete(address)
      if (failures.size >= MAX_ADDRESSES) {
        for (const oldest of failures.keys()) {
          failures.delete(oldest)
          break
        }
      }
      failures.set(address, { count: 1, since: options.now() })
    },
  }
}
