/** What is under way, up to a limit that may change. One caller waits at a time. */
export interface InFlight {
  /** Takes a place, if there is one. */
  tryTake(): boolean
  /** Waits for a place and takes it. */
  take(): Promise<void>
  free(): void
  /** Waits until nothing is under way. */
  drained(): Promise<void>
}

export function createInFlight(limit: () => number): InFlight {
  let taken = 0
  let wake = (): void => {}
  const change = () => new Promise<void>((resolve) => (wake = resolve))
  const tryTake = (): boolean => {
    if (taken >= limit()) return false
    taken++
    return true
  }
  return {
    tryTake,
    async take() {
      while (!tryTake()) await change()
    },
    free() {
      taken--
      wake()
    },
    async drained() {
      while (taken > 0) await change()
    },
  }
}
