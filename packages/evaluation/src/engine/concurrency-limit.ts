export interface ConcurrencyLimit {
  /** How many may be under way now. */
  current(): number
  /** The endpoint wants less. */
  throttled(): void
  /** One came through. */
  succeeded(): void
}

interface Options {
  readonly most: number
  /** Milliseconds. */
  readonly now: () => number
  /** Told when the limit goes below what it ever was, and when it is whole again. */
  readonly onChange: (limit: number) => void
}

/** What is asked for together is refused together: that counts once. */
const WAVE_MS = 1000

/**
 * Additive increase, multiplicative decrease, as TCP does it (RFC 5681): halved when the endpoint wants less, at most once a second,
 * and one more for as many successes as there are places.
 */
export function createConcurrencyLimit({ most, now, onChange }: Options): ConcurrencyLimit {
  let limit = most
  let lowestTold = most
  let cutAt = -Infinity
  let successes = 0
  return {
    current: () => limit,
    throttled() {
      const at = now()
      if (limit === 1 || at - cutAt < WAVE_MS) return
      cutAt = at
      successes = 0
      limit = Math.floor(limit / 2)
      if (limit >= lowestTold) return
      lowestTold = limit
      onChange(limit)
    },
    succeeded() {
      if (limit === most || ++successes < limit) return
      successes = 0
      limit++
      if (limit < most) return
      lowestTold = most
      onChange(limit)
    },
  }
}
