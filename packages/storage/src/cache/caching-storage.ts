import type { CacheStatus } from "@assay/schemas"
import type { Storage, StoredFile } from "../storage.ts"

/** A remote storage whose files are read from the cache where they are in it. */
export interface CachingStorage extends Storage {
  /** How each of these files stands with the cache, in the order given. */
  cacheStatuses(files: readonly StoredFile[]): Promise<readonly CacheStatus[]>
  /** Brings a file into the cache; answers whether it is there now, or does not fit. @throws what has kept it out */
  cache(file: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** Drops what is cached of these files, for everybody who reads the same ones. */
  uncache(files: readonly StoredFile[]): Promise<void>
}

export function isCachingStorage(storage: Storage): storage is CachingStorage {
  return "cacheStatuses" in storage
}
