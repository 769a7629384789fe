import { isAssayError, AssayError } from "@assay/schemas"
import type { FilePath } from "../file-path.ts"
import type { Storage, ReadOptions, ReadResult } from "../storage.ts"
import type { CacheHome } from "./cache-home.ts"
import type { CacheEntry, CacheIndex, FileFacts } from "./cache-index.ts"
import { cachePath } from "./cache-key.ts"

/** What the cache is made of. */
export interface CacheBasis {
  readonly home: CacheHome
  readonly index: CacheIndex
  /** Told of faults of the cache itself, which no reader notices. `what` completes "Could not …". */
  readonly warn: (error: unknown, what: string) => void
}

/** Answers undefined where the bytes at `place` are not as many as the entry says. */
type EntryUse<T> = (storage: Storage, place: FilePath, entry: CacheEntry) => Promise<T | undefined>

/**
 * Does something with what is cached under `key`. Undefined where there is no entry; where its bytes are missing, too
 * few or many, or damaged, after which there is none; and where they can't be had now.
 * @throws `range_not_satisfiable`
 */
async function useEntry<T>(
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

/** Whether `key` is cached and its bytes are all there. */
export async function hasEntry(basis: CacheBasis, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  const found = await useEntry(
    basis,
    key,
    async (storage, place, { facts: { size } }) =>
      (await storage.stat(place, { signal })).size === size ? true : undefined,
    signal,
  )
  return found ?? false
}

/** A read of a cached file. */
export interface EntryRead extends Omit<ReadResult, "file"> {
  readonly facts: FileFacts
}

/**
 * Reads what is cached under `key`; undefined where that can't be relied on. A copy whose bytes are not those that were
 * filled in is no longer cached: a small one is not read at all, and a read of a large one fails before its last piece.
 * @throws `range_not_satisfiable`
 */
export function readEntry(basis: CacheBasis, key: string, options: ReadOptions): Promise<EntryRead | undefined> {
  return useEntry(
    basis,
    key,
    async (storage, place, { facts, digest }) => {
      const { file, ...read } = await storage.read(place, { ...options, sha256: digest })
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
