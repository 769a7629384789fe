import { LRUCache } from "lru-cache"

/**
 * Milliseconds for which a schema is remembered that was too slow for one batch. It may be fast enough for other rows.
 */
export const REMEMBERED_MS = 60_000

/** The schemas that were too costly. The next request with one of them fails at once. */
export interface CostlySchemas {
  readonly get: (digest: string) => string | undefined
  /** Remembers a schema for `forMs` milliseconds, or until newer ones replace it. */
  readonly add: (digest: string, why: string, forMs?: number) => void
}

const MAX_REMEMBERED = 1000

export function createCostlySchemas(): CostlySchemas {
  const known = new LRUCache<string, string>({ max: MAX_REMEMBERED })
  return {
    get: (digest) => known.get(digest),
    add: (digest, why, forMs = 0) => void known.set(digest, why, { ttl: forMs }),
  }
}
