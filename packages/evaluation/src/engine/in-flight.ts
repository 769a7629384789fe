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
