import type { RowIndex, RowIndexStore } from "./row-index.ts"

/** Keeps the `limit` indexes that were used last, in the memory of this process. Default 100, each up to 200 kB. */
export function createMemoryRowIndexStore({ limit = 100 }: { readonly limit?: number } = {}): RowIndexStore {
  const kept = new Map<string, RowIndex>()
  const keep = (key: string, index: RowIndex) => {
    kept.delete(key)
    kept.set(key, index)
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) return
      kept.delete(oldest)
    }
  }
  return {
    async get(key) {
      const index = kept.get(key)
      if (index !== undefined) keep(key, index)
      return index
    },
    async set(key, index) {
      keep(key, index)
    },
  }
}
