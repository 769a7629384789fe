import { retryDelay } from "@assay/http"

const TIMING = { firstMs: 500, maxMs: 8000, spreadMs: 250 }

/**
 * Returns the milliseconds before repetition number `repetition`, counted from 1. It is never less than the endpoint asked for;
 * without such a wait, it doubles each time.
 */
export function retryWait(repetition: number, random: () => number, askedMs: number | undefined): number {
  return retryDelay(repetition - 1, { ...TIMING, random }, askedMs)
}

export interface RateLimitWaitOptions {
  /** Maximum number of milliseconds that the call waits for rate limits in total. 0: it never waits. */
  readonly maxMs: number
  /** Returns milliseconds. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
}

/** Counts how long one call waits for rate limits. */
export interface RateLimitWait {
  /**
   * Returns the milliseconds to wait before the next attempt, if the server asked for `askedMs`. Returns undefined if the time is
   * used up, or if the server asks for more than is left.
   */
  next(askedMs: number | undefined): number | undefined
}

/** The minimum wait grows by this each time, so that `Retry-After: 0` does not lead to a busy loop. */
const STEP_MS = 100
const LONGEST_STEP_MS = 1000

/**
 * Creates the counter for one call. The time starts with the first refusal and includes the time that the server takes to
 * refuse. `Retry-After` is obeyed; without it the wait doubles each time, with jitter.
 */
export function createRateLimitWait({ maxMs, now, random }: RateLimitWaitOptions): RateLimitWait {
  let firstAt: number | undefined
  let waitedMs = 0
  let refusals = 0
  return {
    next(askedMs) {
      firstAt ??= now()
      const leftMs = maxMs - Math.max(waitedMs, now() - firstAt)
      if (leftMs <= 0 || (askedMs ?? 0) > leftMs) return undefined
      refusals += 1
      const least = Math.min(LONGEST_STEP_MS, STEP_MS * refusals)
      const asked = askedMs === undefined ? undefined : Math.max(askedMs, least)
      const waitMs = Math.min(leftMs, retryWait(refusals, random, asked))
      waitedMs += waitMs
      return waitMs
    },
  }
}
