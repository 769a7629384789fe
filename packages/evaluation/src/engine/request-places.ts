import type { ConcurrencyLimit } from "./concurrency-limit.ts"

/** Places for requests in flight, up to a limit that may change. Several runs can share them. */
export interface RequestPlaces extends Pick<ConcurrencyLimit, "throttled" | "succeeded"> {
  /** Takes a place if one is free. Returns whether it did. */
  tryTake(): boolean
  /** Waits for a free place and takes it. Returns false without a place if `begin` aborts. */
  take(begin: AbortSignal): Promise<boolean>
  free(): void
  /** Called when the limit has changed. */
  changed(): void
}

/**
 * Creates the places. It is not `p-limit`: rows are read only as fast as places get free, so the caller waits for a place before it
 * reads on.
 */
export function createRequestPlaces(limit: ConcurrencyLimit): RequestPlaces {
  const waiting = new Set<() => void>()
  let taken = 0
  const changed = (): void => {
    for (const wake of waiting) wake()
  }
  const tryTake = (): boolean => {
    if (taken >= limit.current()) return false
    taken++
    return true
  }
  return {
    throttled: () => limit.throttled(),
    succeeded: () => limit.succeeded(),
    tryTake,
    async take(begin) {
      while (!begin.aborted) {
        if (tryTake()) return true
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake)
            begin.removeEventListener("abort", wake)
            resolve()
          }
          waiting.add(wake)
          begin.addEventListener("abort", wake)
        })
      }
      return false
    },
    free() {
      taken--
      changed()
    },
    changed,
  }
}

/** Counts the rows of one run that are in flight. */
export interface RowsInFlight {
  begin(): void
  end(): void
  /** Waits until no row is in flight. */
  drained(): Promise<void>
}

export function createRowsInFlight(): RowsInFlight {
  // An object, because it changes while a caller waits.
  const state = { count: 0, wake: () => {} }
  return {
    begin() {
      state.count++
    },
    end() {
      state.count--
      if (state.count === 0) state.wake()
    },
    async drained() {
      while (state.count > 0) await new Promise<void>((resolve) => (state.wake = resolve))
    },
  }
}
