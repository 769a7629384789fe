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
  /** Longest time that the call waits for the rate limit in all, in milliseconds. 0: it never waits. */
  readonly maxMs: number
  /** Milliseconds. */
  readonly now: () => number
  /** From 0 to 1, for jitter. */
  readonly random: () => number
}

/** How long one call waits for a rate limit. */
export interface RateLimitWait {
  /**
   * Returns the milliseconds to wait before the next try, after a server that limits the rate asked for `askedMs`. Returns
   * undefined if the call has waited for as long as it may, or the server asks for more than is left.
   */
  next(askedMs: number | undefined): number | undefined
}

/** By which the shortest wait grows each time: a server that always says `Retry-After: 0` is not asked in a loop. */
const STEP_MS = 100
const LONGEST_STEP_MS = 1000

/**
 * Counts what one call waits for rate limits, from its first refusal. The time that the server takes to refuse counts too.
 * `Retry-After` is obeyed; without one the wait doubles each time, with jitter.
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
