/** Remembers schemas that proved too costly, so that the next request with one fails at once. */
export interface CostlySchemas {
  readonly get: (digest: string) => string | undefined
  /** Remembers why, for `forMs` milliseconds; until others take its place if that is left out. */
  readonly add: (digest: string, why: string, forMs?: number) => void
}

const MAX_REMEMBERED = 1000

export function createCostlySchemas(): CostlySchemas {
  const known = new Map<string, string>()
  return {
    get: (digest) => known.get(digest),
    add(digest, why, forMs) {
      known.delete(digest)
      known.set(digest, why)
      const [oldest] = known.keys()
      if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest)
      if (forMs !== undefined) setTimeout(() => known.delete(digest), forMs).unref()
    },
  }
}
