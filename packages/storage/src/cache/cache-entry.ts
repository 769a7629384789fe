import { isAssayError } from "@assay/schemas"
import type { FilePath } from "../file-path.ts"
import type { Storage } from "../storage.ts"
import type { CacheHome } from "./cache-home.ts"
import type { CacheEntry, CacheIndex } from "./cache-index.ts"
import { cachePath } from "./cache-key.ts"

/** What the cache is made of. */
export interface CacheBasis {
  readonly home: CacheHome
  readonly index: CacheIndex
  /** Told of faults of the cache itself, which no reader notices. `what` completes "Could not …". */
  readonly warn: (error: unknown, what: string) => void
}

/** Answers undefined where the bytes at `place` are not as many as the entry says. */
export type EntryUse<T> = (storage: Storage, place: FilePath, entry: CacheEntry) => Promise<T | undefined>

/**
 * Does something with what is cached under `key`. Undefined where there is no entry; where its bytes are missing, too
 * few or many, or damaged, after which there is none; and where they can't be had now.
 * @throws `range_not_satisfiable`
 */
export async function useEntry<T>(
  { home, index, warn }: CacheBasis,
  key: string,
  use: EntryUse<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const entry = await index.get(key)
  if (entry === undefined) return undefined
  const { facts } = entry
  try {
    const used = await use(await home.open(), cachePath(key), entry)
    if (used !== undefined) {
      index.touch(key)
      return used
    }
  } catch (error) {
    signal?.throwIfAborted()
    const isOutside = isAssayError(error, "range_not_satisfiable")
    if (isOutside && error.context["size"] === facts.size) throw error
    const isDamaged = isAssayError(error, "content_damaged")
    if (!isOutside && !isAssayError(error, "not_found")) warn(error, "read from the read cache")
    if (!isOutside && !isDamaged && !isAssayError(error, "not_found")) return undefined
  }
  await index.remove([key])
  return undefined
}
