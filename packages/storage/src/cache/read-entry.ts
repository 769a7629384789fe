import { AssayError, isAssayError } from "@assay/schemas"
import type { ReadOptions, ReadResult } from "../storage.ts"
import type { FileFacts } from "./cache-index.ts"
import { useEntry, type CacheBasis } from "./cache-entry.ts"

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
