import type { InferenceContext } from "../inference-context.ts"

/** A store of paces, with one text for each endpoint and key. All who use the same store keep to one rate together. */
export interface SharedPaces {
  /**
   * Changes the text of a key, while nobody else changes it. `work` has no effects, because it can run more than once.
   * @param work gets undefined if nothing is stored, and the time of a clock that all share, in milliseconds
   */
  change<T>(key: string, work: (stored: string | undefined, now: number) => Changed<T>): Promise<T>
}

export interface Changed<T> {
  /** Undefined: nothing is stored. */
  readonly stored: string | undefined
  readonly value: T
}

/** Creates a store for one pacer of one process. */
export function createMemoryPace(now: () => number, initial?: string): SharedPaces {
  let text = initial
  return {
    async change(_key, work) {
      const { stored, value } = work(text, now())
      text = stored
      return value
    },
  }
}

/** Time without a response after which a change fails. */
const LIMIT_MS = 1000

/** Returns the same store, whose changes fail if there is no response in time. */
export function limitPaces(paces: SharedPaces, sleep: InferenceContext["sleep"]): SharedPaces {
  return {
    async change(key, work) {
      const waited = new AbortController()
      const limit = async (): Promise<never> => {
        await sleep(LIMIT_MS, waited.signal)
        throw new Error("The shared rate did not respond in time.")
      }
      const limited = limit()
      limited.catch(() => {})
      try {
        return await Promise.race([paces.change(key, work), limited])
      } finally {
        waited.abort()
      }
    },
  }
}
