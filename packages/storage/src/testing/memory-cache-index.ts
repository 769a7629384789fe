import type { CacheEntry, CacheIndex } from "../cache/cache-index.ts"

/** Creates a cache index in memory. Use is recorded at once, without waiting a minute. */
export function createMemoryCacheIndex(): CacheIndex & { readonly entries: ReadonlyMap<string, CacheEntry> } {
  const entries = new Map<string, CacheEntry>()
  const bytes = () => [...entries.values()].reduce((sum, { facts }) => sum + facts.size, 0)
  const use = (key: string, entry = entries.get(key)) => {
    entries.delete(key)
    if (entry !== undefined) entries.set(key, entry)
  }
  return {
    entries,
    get: async (key) => entries.get(key),
    filter: async (keys) => new Set(keys.filter((key) => entries.has(key))),
    put: async (entry) => use(entry.key, entry),
    touch: (key) => use(key),
    remove: async (keys) => keys.forEach((key) => entries.delete(key)),
    async evict(most) {
      const evicted: string[] = []
      for (const key of entries.keys()) {
        if (bytes() <= most) break
        entries.delete(key)
        evicted.push(key)
      }
      return evicted
    },
    async *list() {
      yield* [...entries.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
    },
  }
}
