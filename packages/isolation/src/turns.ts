import pLimit from "p-limit"

/** Limits how many pieces of work run at a time. The others wait in the order in which they came. */
export interface Turns {
  /** Runs `work` when its turn comes. @throws the reason of `signal` if it aborts before that */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Creates turns for at most `max` pieces of work at a time. */
export function createTurns(max: number): Turns {
  const limit = pLimit(max)
  return {
    async run(signal, work) {
      signal.throwIfAborted()
      const waiting = Promise.withResolvers<never>()
      const leave = () => waiting.reject(signal.reason as Error)
      signal.addEventListener("abort", leave, { once: true })
      const done = limit(async () => {
        signal.removeEventListener("abort", leave)
        signal.throwIfAborted()
        return work()
      })
      return Promise.race([done, waiting.promise])
    },
  }
}
