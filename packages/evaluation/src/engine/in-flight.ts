/** What is under way, up to a limit that may change. One caller waits at a time. */
interface InFlight {
  /** Takes a place, if there is one. */
  tryTake(): boolean
  /** Waits for a place and takes it; false, and none is taken, once nothing new is to be begun. */
  take(): Promise<boolean>
  free(): void
  /** Waits until nothing is under way. */
  drained(): Promise<void>
}

export function createInFlight(limit: () => number, begin: AbortSignal): InFlight {
  // An object, since it changes while others wait.
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
