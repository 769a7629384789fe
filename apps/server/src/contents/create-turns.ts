/** Lets so much work go on at a time; the rest waits in the order in which it came. */
export interface Turns {
  /** Runs `work` when its turn comes. @throws the reason of `signal` where that comes first */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Turns for `most` pieces of work at a time. */
export function createTurns(most: number): Turns {
  let running = 0
  const waiting = new Set<() => void>()

  async function begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running >= most) {
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter)
          reject(signal.reason as Error)
        }
        const enter = () => {
          waiting.delete(enter)
          signal.removeEventListener("abort", leave)
          resolve()
        }
        waiting.add(enter)
        signal.addEventListener("abort", leave, { once: true })
      })
      return
    }
    running++
  }

  /** Hands the turn on, so that nobody who comes now gets ahead of those who wait. */
  function end(): void {
    const [enter] = waiting
    if (enter === undefined) running--
    else enter()
  }

  return {
    async run(signal, work) {
      await begin(signal)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
