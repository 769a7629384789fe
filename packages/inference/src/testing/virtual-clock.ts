/** A clock for simulations: it goes on only while `run` runs, from one event to the next. */
export interface VirtualClock {
  readonly now: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Goes on until a time, in milliseconds. */
  run(until: number): Promise<void>
}

/** How many steps of promises may follow an event before the next one. */
const STEPS = 20

export function createVirtualClock(): VirtualClock {
  const events: { readonly at: number; readonly wake: () => void }[] = []
  let time = 0

  async function settle(): Promise<void> {
    for (let step = 0; step < STEPS; step++) await Promise.resolve()
  }

  return {
    now: () => time,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        const at = time + Math.max(0, milliseconds)
        const index = events.findLastIndex((event) => event.at <= at) + 1
        events.splice(index, 0, { at, wake })
      }),
    async run(until) {
      await settle()
      for (let next = events[0]; next !== undefined && next.at <= until; next = events[0]) {
        events.shift()
        time = next.at
        next.wake()
        await settle()
      }
      time = until
    },
  }
}
