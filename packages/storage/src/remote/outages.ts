import { retryDelay } from "@assay/http"
import { isAssayError, type AssayError, type ErrorCode } from "@assay/schemas"
import { BUSY } from "./send-with-retry.ts"

/** Repeats work while storage or the database does not respond, so that a long task survives a short outage. */
export interface Outages {
  /**
   * Runs `work`, and again after each failure by an outage, for at most ten minutes. Use it only for work that may be done twice.
   * @throws the reason of the signal, any other error of `work` at once, or its last error when the time is over
   */
  outlast<T>(work: () => Promise<T>, options?: OutlastOptions): Promise<T>
}

export interface OutlastOptions {
  readonly signal?: AbortSignal | undefined
  /** Returns whether this outage is worth waiting for. Default: each one is. */
  readonly isWorthWaiting?: ((error: AssayError) => boolean) | undefined
}

export interface OutagesOptions {
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Aborted when the time to wait is over. After that, the first error counts. */
  readonly hurry?: AbortSignal | undefined
  /** Called when work begins to wait, unless other work of these outages waits already. */
  readonly onBegin?: ((error: AssayError) => void) | undefined
  /** Called with the length of the outage when the last work that waited has succeeded. */
  readonly onEnd?: ((milliseconds: number) => void) | undefined
}

/** Milliseconds for which work is repeated. */
export const MAX_OUTAGE_MS = 600_000

const TIMING = { firstMs: 250, maxMs: 10_000, spreadMs: 0 }

/** Codes of errors that end by themselves when the database or a storage responds again, or takes as many requests. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set([
  "unavailable",
  "upstream_failed",
  "upstream_timeout",
  "datastore_unreachable",
  "rate_limited",
])

export function createOutages({ now, random, sleep, hurry, onBegin, onEnd }: OutagesOptions): Outages {
  let waiting = 0
  let began = 0

  function wait(error: AssayError): void {
    if (waiting++ > 0) return
    began = now()
    onBegin?.(error)
  }

  function leave(hasSucceeded: boolean): void {
    if (--waiting === 0 && hasSucceeded) onEnd?.(now() - began)
  }

  return {
    async outlast(work, { signal, isWorthWaiting = () => true } = {}) {
      signal?.throwIfAborted()
      let last = await attempt(work, isWorthWaiting)
      if (last.isDone) return last.value
      wait(last.outage)
      const since = now()
      const interrupt = AbortSignal.any([signal, hurry].filter((one) => one !== undefined))
      try {
        for (let repetition = 0; !last.isDone; repetition++) {
          signal?.throwIfAborted()
          if (hurry?.aborted === true || now() - since >= MAX_OUTAGE_MS) throw last.outage
          await sleep(retryDelay(repetition, { ...TIMING, random }), interrupt).catch(() => {})
          last = await attempt(work, isWorthWaiting)
        }
        return last.value
      } finally {
        leave(last.isDone)
      }
    },
  }
}

type Attempt<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false; readonly outage: AssayError }

/** Runs `work` once. @throws its error if that is not an outage, or one that is not worth waiting for */
async function attempt<T>(work: () => Promise<T>, isWorthWaiting: (error: AssayError) => boolean): Promise<Attempt<T>> {
  try {
    return { isDone: true, value: await work() }
  } catch (error) {
    if (isAssayError(error) && isOutage(error) && isWorthWaiting(error)) return { isDone: false, outage: error }
    throw error
  }
}

/** Returns whether an error ends by itself. A backend that refuses a request with another status does so the next time, too. */
function isOutage({ code, context: { status } }: AssayError): boolean {
  return OUTAGES.has(code) && (status === undefined || BUSY.has(status))
}

/** Fails with the first error, for readers who can ask again themselves. */
export const NO_PATIENCE: Outages = { outlast: (work) => work() }
