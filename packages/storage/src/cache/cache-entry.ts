import { isAssayError, AssayError } from "@assay/schemas"
import type { FilePath } from "../file-path.ts"
import type { Storage, ReadOptions, ReadResult } from "../storage.ts"
import type { CacheHome } from "./cache-home.ts"
import type { CacheEntry, CacheIndex, FileFacts } from "./cache-index.ts"
import { cachePath } from "./cache-key.ts"

/** The parts of a cache. */
export interface CacheBasis {
  readonly home: CacheHome
  readonly index: CacheIndex
  /** Called with faults of the cache that readers do not see. `what` completes the sentence "Could not …". */
  readonly warn: (error: unknown, what: string) => void
}

/** Uses a cached file. Returns undefined if the number of bytes at `path` differs from the entry. */
type EntryUse<T> = (storage: Storage, path: FilePath, entry: CacheEntry) => Promise<T | undefined>

/**
 * Uses what is cached under `key`. Returns undefined if there is no entry, or if its bytes are currently unavailable.
 * It also returns undefined if the bytes are missing, damaged or of the wrong size; then the entry is removed.
 * @throws `range_not_satisfiable`
 */
async function withEntry<T>(
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

/** Returns whether `key` is cached and its bytes are complete. */
export async function hasEntry(basis: CacheBasis, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await withEntry(
    basis,
    key,
    async (storage, path, { facts: { size } }) =>
      (await storage.stat(path, { signal })).size === size ? true : undefined,
    signal,
  )
  return found ?? false
}

/** A read of a cached file. */
export interface EntryRead extends Omit<ReadResult, "file"> {
  readonly facts: FileFacts
}

/**
 * Reads what is cached under `key`. Returns undefined if it can't be trusted. A damaged copy is removed from the cache:
 * a small copy is not read at all, and a read of a large copy fails before its last piece.
 * @throws `range_not_satisfiable`
 */
export function readEntry(basis: CacheBasis, key: string, options: ReadOptions): Promise<EntryRead | undefined> {
  return withEntry(
    basis,
    key,
    async (storage, path, { facts, digest }) => {
      const { file, ...read } = await storage.read(path, { ...options, sha256: digest })
      if (file.size === facts.size) return { ...read, bytes: dropDamaged(read.bytes, basis, key), facts }
      await read.bytes[Symbol.asyncIterator]().return?.()
      return undefined
    },
    options.signal,
  )
}

function dropDamaged(
  bytes: AsyncIterable<Uint8Array>,
  { index, warn }: CacheBasis,
  key: string,
): AsyncIterableIterator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  const checked: AsyncIterableIterator<Uint8Array> = {
    async next() {
      try {
        return await pieces.next()
      } catch (error) {
        if (!isAssayError(error, "content_damaged")) throw error
        warn(error, "read from the read cache")
        await index.remove([key])
        const message =
          "The copy of the file in the read cache is damaged. The copy was dropped: read the file again, and have the disk checked."
        throw new AssayError("content_damaged", message, { cause: error })
      }
    },
    async return() {
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => checked,
  }
  return checked
}
