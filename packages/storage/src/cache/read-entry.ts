import type { ReadOptions, ReadResult } from "../storage.ts"
import type { FileFacts } from "./cache-index.ts"
import { useEntry, type CacheBasis } from "./use-entry.ts"

/** A read of a cached file. */
export interface EntryRead extends Omit<ReadResult, "file"> {
  readonly facts: FileFacts
}

/** Reads what is cached under `key`; undefined where that can't be relied on. @throws `range_not_satisfiable` */
export function readEntry(basis: CacheBasis, key: string, options: ReadOptions): Promise<EntryRead | undefined> {
  return useEntry(
    basis,
    key,
    async (storage, place, facts) => {
      const { file, ...read } = await storage.read(place, options)
      if (file.size === facts.size) return { ...read, facts }
      await read.bytes[Symbol.asyncIterator]().return?.()
      return undefined
    },
    options.signal,
  )
}
