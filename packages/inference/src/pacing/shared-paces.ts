import type { PaceLease, PaceReport } from "@assay/schemas"
import type { InferenceContext } from "../inference-context.ts"
import { type Changed, exchangePace } from "./pace-exchange.ts"

/** The paces of all who use the same store: together they keep to one rate for each endpoint and key. */
export interface SharedPaces {
  /**
   * Adds the report of a process to what all know about an endpoint and key, and leases turns to it.
   * @param key identifies the endpoint and key
   * @param signal nobody waits for the lease any more
   */
  exchange(key: string, report: PaceReport, signal?: AbortSignal): Promise<PaceLease>
}

/** A store of one text for each endpoint and key. */
export interface PaceTexts {
  /**
   * Changes the text of a key, while nobody else changes it. `work` has no effects, because it can run more than once.
   * @param work gets undefined if nothing is stored, and the time of a clock that all share, in milliseconds
   */
  change<T>(key: string, work: (stored: string | undefined, now: number) => Changed<T>): Promise<T>
}

/** Returns the paces that a store of texts contains. */
export function storedPaces(texts: PaceTexts): SharedPaces {
  return {
    exchange: (key, report) => texts.change(key, (stored, now) => exchangePace(stored, now, report)),
  }
}

/** Creates the paces for one pacer of one process. */
export function createMemoryPace(now: () => number, initial?: string): SharedPaces {
  let text = initial
  return {
    async exchange(_key, report) {
      const { stored, value } = exchangePace(text, now(), report)
      text = stored
      return value
    },
  }
}

/** Time without a response after which an exchange fails. */
const LIMIT_MS = 1000

export interface LimitOptions extends Pick<InferenceContext, "sleep"> {
  /** Called with the reason when an exchange fails for the first time. */
  readonly onAway?: ((error: unknown) => void) | undefined
}

/** Returns the same paces, with exchanges that fail after a second without a response. */
export function limitPaces(paces: SharedPaces, { sleep, onAway }: LimitOptions): SharedPaces {
  let hasFailed = false

  async function limited(...[key, report]: Parameters<SharedPaces["exchange"]>): Promise<PaceLease> {
    const ended = new AbortController()
    const limit = async (): Promise<never> => {
      await sleep(LIMIT_MS, ended.signal)
      throw new Error("The shared rate did not respond in time.")
    }
    const tooLate = limit()
    tooLate.catch(() => {})
    try {
      return await Promise.race([paces.exchange(key, report, ended.signal), tooLate])
    } finally {
      ended.abort()
    }
  }

  return {
    async exchange(key, report) {
      try {
        return await limited(key, report)
      } catch (error) {
        if (!hasFailed) onAway?.(error)
        hasFailed = true
        throw error
      }
    },
  }
}
