export interface ConcurrencyLimit {
  /** Returns how many requests may be in flight now. */
  current(): number
  /** Records that the endpoint asked for fewer requests. */
  throttled(): void
  /** Records that a request succeeded. */
  succeeded(): void
}

interface Options {
  readonly max: number
  /** In milliseconds. */
  readonly now: () => number
  /** Called when the limit reaches a new low, and when it is back at `max`. */
  readonly onChange: (limit: number) => void
}

/** Requests that are sent together are refused together. Refusals within this time count as one. */
const WAVE_MS = 1000

/**
 * Creates a limit with additive increase and multiplicative decrease, as in TCP (RFC 5681). The limit is halved if the endpoint
 * asks for fewer requests, at most once a second. It grows by 1 after as many successes as it allows requests.
 */
export function createConcurrencyLimit({ max, now, onChange }: Options): ConcurrencyLimit {
  let limit = max
  let lowestReported = max
  let cutAt = -Infinity
  let successes = 0
  return {
    current: () => limit,
    throttled() {
      const at = now()
      if (limit === 1 || at - cutAt < WAVE_MS) return
      cutAt = at
      successes = 0
      limit = Math.floor(limit / 2)
      if (limit >= lowestReported) return
      lowestReported = limit
      onChange(limit)
    },
    succeeded() {
      if (limit === max || ++successes < limit) return
      successes = 0
      limit++
      if (limit < max) return
      lowestReported = max
      onChange(limit)
    },
  }
}

/** Counts rows in flight, up to a limit that may change. One caller waits at a time. */
interface InFlight {
  /** Takes a place if one is free. Returns whether it did. */
  tryTake(): boolean
  /** Waits for a free place and takes it. Returns false without a place if no new row may begin. */
  take(): Promise<boolean>
  free(): void
  /** Waits until no row is in flight. */
  drained(): Promise<void>
}

/**
 * Creates the counter. It is not `p-limit`: rows are read only as fast as places get free, so the caller waits for a place before it
 * reads on, and stops waiting if `begin` aborts.
 */
export function createInFlight(limit: () => number, begin: AbortSignal): InFlight {
  // An object, because it changes while a caller waits.
  const state = { taken: 0, wake: () => {} }
  const change = () => new Promise<void>((resolve) => (state.wake = resolve))
  begin.addEventListener("abort", () => state.wake(), { once: true })
  const tryTake = (): boolean => {
    if (state.taken >= limit()) return false
    state.taken++
    return true
  }
  return {
    tryTake,
    async take() {
      while (!begin.aborted) {
        if (tryTake()) return true
        await change()
      }
      return false
    },
    free() {
      state.taken--
      state.wake()
    },
    async drained() {
      while (state.taken > 0) await change()
    },
  }
}
