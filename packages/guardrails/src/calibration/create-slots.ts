/** So many things may be under way at once. One caller waits at a time. */
export interface Slots {
  /** Waits for a free slot and takes it. */
  take(): Promise<void>
  free(): void
  /** Waits until all are free. */
  drained(): Promise<void>
}

export function createSlots(count: number): Slots {
  const state = { taken: 0, wake: () => {} }
  const change = () => new Promise<void>((resolve) => (state.wake = resolve))
  return {
    async take() {
      while (state.taken >= count) await change()
      state.taken++
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
