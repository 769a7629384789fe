import { isAssayError } from "@assay/schemas"
import type { Storage } from "../storage.ts"
import type { CacheHome } from "./cache-home.ts"
import type { CacheEntry, CacheIndex } from "./cache-index.ts"
import { CACHE_FOLDER, cachePath, keyAtPath } from "./cache-key.ts"

export interface SettleCacheOptions {
  readonly home: CacheHome
  readonly index: CacheIndex
  /** Maximum number of bytes that stay cached. The least recently used entries are removed first. */
  readonly maxBytes: number
  /** Milliseconds since 1970. A file that changed later may belong to another server that is about to add its entry. */
  readonly olderThan: number
  readonly signal: AbortSignal
}

/** A file in the cache's folder and the index entry with the same key. One of them can be missing. */
interface Pair {
  readonly key: string
  readonly file?: { readonly size: number; readonly updatedAt: number | null }
  readonly entry?: Pick<CacheEntry, "facts">
}

/**
 * Removes entries without bytes, and files without an entry, which remain after a crash or come from other programs.
 * Evicts entries above the limit.
 */
export async function settleCache({ home, index, ...options }: SettleCacheOptions): Promise<void> {
  const { maxBytes, olderThan, signal } = options
  const storage = await home.open()
  const remove = (key: string) => storage.delete(cachePath(key), { signal })
  for (const key of await index.evict(maxBytes)) await remove(key)
  for await (const { key, file, entry } of pairs(storage, index, signal)) {
    signal.throwIfAborted()
    if (file?.size === entry?.facts.size) continue
    // Check each finding again, because both lists are read in parts.
    const known = await index.get(key)
    if (known !== undefined && (await sizeAt(storage, key)) !== known.facts.size) await index.remove([key])
    else if (known === undefined && file !== undefined && (file.updatedAt ?? Infinity) < olderThan) {
      await remove(key)
    }
  }
}

async function sizeAt(storage: Storage, key: string): Promise<number | undefined> {
  try {
    return (await storage.stat(cachePath(key))).size
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}

/** Merges both lists in the order of the keys. */
async function* pairs(storage: Storage, index: CacheIndex, signal: AbortSignal): AsyncGenerator<Pair> {
  const files = storage.list({ prefix: `${CACHE_FOLDER}/`, signal })[Symbol.asyncIterator]()
  const entries = index.list()[Symbol.asyncIterator]()
  try {
    let file = await files.next()
    let entry = await entries.next()
    for (;;) {
      const name = file.done === true ? undefined : keyAtPath(file.value.path)
      if (file.done !== true && name === undefined) {
        file = await files.next()
        continue
      }
      const known = entry.done === true ? undefined : entry.value.key
      const key = name !== undefined && (known === undefined || name < known) ? name : known
      if (key === undefined) return
      yield {
        key,
        ...(file.done !== true && key === name ? { file: file.value } : {}),
        ...(entry.done !== true && key === known ? { entry: entry.value } : {}),
      }
      if (key === name) file = await files.next()
      if (key === known) entry = await entries.next()
    }
  } finally {
    await Promise.all([files.return?.(), entries.return?.()])
  }
}
