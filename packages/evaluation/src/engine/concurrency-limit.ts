export interface ConcurrencyLimit {
  /** Returns how many requests may be in flight now. */
  current(): number
  /** Records that the endpoint asked for fewer requests. */
  throttled(): void
  /** Records that a request succeeded. */
  succeeded(): void
}

interface Options {
  /** Returns how many requests may be in flight if the endpoint does not limit the rate. It may change. */
  readonly max: () => number
  /** In milliseconds. */
  readonly now: () => number
  /** Called when the limit reaches a new low, and when it is back at `max`. */
  readonly onChange: (limit: number) => void
}

/** Requests that are sent together are refused together. Refusals within this time count as one. */
const WAVE_MS = 1000

/**
 * Creates a limit with additive increase and multiplicative decrease, as in TCP (RFC 5681). The limit is halved if the endpoint
 * asks for fewer requests, at most once a second. It grows by 1 after as many successes as it allows requests.
 */
export function createConcurrencyLimit({ max, now, onChange }: Options): ConcurrencyLimit {
  /** Infinity while the endpoint does not limit the rate. */
  let limit = Number.POSITIVE_INFINITY
  let lowestReported = Number.POSITIVE_INFINITY
  let cutAt = -Infinity
  let successes = 0
  const current = () => Math.min(limit, max())
  return {
    current,
    throttled() {
      const at = now()
      if (current() <= 1 || at - cutAt < WAVE_MS) return
      cutAt = at
      successes = 0
      limit = Math.floor(current() / 2)
      if (limit >= lowestReported) return
      lowestReported = limit
      onChange(limit)
    },
    succeeded() {
      if (limit === Number.POSITIVE_INFINITY || ++successes < limit) return
      successes = 0
      limit++
      if (limit < max()) return
      limit = Number.POSITIVE_INFINITY
      lowestReported = limit
      onChange(max())
    },
  }
}
