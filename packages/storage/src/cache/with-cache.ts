import { DEFAULT_READ_CHUNK_SIZE, type CacheStatus, type StorageConfiguration } from "@assay/schemas"
import { unlessAborted } from "@assay/http"
import type { FilePath } from "../file-path.ts"
import type { Storage, StoredFile } from "../storage.ts"
import { cacheKey, cachePinOf } from "./cache-key.ts"
import type { RemoteFile, ReadCache } from "./read-cache.ts"
import { readThroughCache } from "./read-through-cache.ts"

export interface CachedStorageOptions {
  readonly cache: ReadCache
  /** The resolved configuration of the storage. It identifies the files in the cache. */
  readonly configuration: StorageConfiguration
  /** Keeps the cached files apart from those of other storages with this configuration, which are read in another way. Default: they share them. */
  readonly apart?: string | undefined
}

/**
 * Wraps `remote` so that it is read through the cache. Cached files with fixed content are read without a request. If
 * content can change, each read first requests the current ETag. Returns undefined for a storage that is not cached.
 */
export function withCache(
  remote: Storage,
  { cache, configuration, apart }: CachedStorageOptions,
): CachingStorage | undefined {
  const shared = cachePinOf(configuration)
  if (shared === undefined) return undefined
  const pin = apart === undefined ? shared : { ...shared, parts: [...shared.parts, apart] }
  const keyOf = (file: StoredFile) => cacheKey(pin, file.path, file.etag)
  const fixedKey = (path: FilePath) => (pin.isFixed ? cacheKey(pin, path, null) : undefined)

  /** Returns how a file is identified now, or undefined if it can't be cached. */
  const identify = async (path: FilePath, signal: AbortSignal | undefined): Promise<RemoteFile | undefined> => {
    const fixed = fixedKey(path)
    if (fixed !== undefined) return { remote, path, key: fixed, keyOf }
    const known = await remote.stat(path, { signal })
    const key = keyOf(known)
    return key === undefined ? undefined : { remote, path, key, keyOf, known }
  }

  function statusOf({ size }: StoredFile, key: string | undefined, cached: ReadonlySet<string>): CacheStatus {
    if (key === undefined || size > cache.maxBytes) return "not_cacheable"
    if (cached.has(key)) return "cached"
    return cache.filling(key) === undefined ? "not_cached" : "caching"
  }

  return {
    ...remote,
    async stat(path, options = {}) {
      const key = fixedKey(path)
      const facts = key === undefined ? undefined : await cache.facts(key)
      return facts === undefined ? remote.stat(path, options) : { path, ...facts }
    },
    async read(path, options = {}) {
      options.signal?.throwIfAborted()
      const file = await identify(path, options.signal)
      if (file === undefined) return remote.read(path, options)
      const chunkSize = configuration.read_chunk_size ?? DEFAULT_READ_CHUNK_SIZE
      return readThroughCache({ cache, file, chunkSize }, options)
    },
    async cacheStatuses(files) {
      const keys = files.map(keyOf)
      const cached = await cache.filter(keys.filter((key) => key !== undefined))
      return files.map((file, index) => statusOf(file, keys[index], cached))
    },
    async cache(file, signal) {
      const key = keyOf(file)
      if (key === undefined || file.size > cache.maxBytes) return false
      if (await cache.has(key, signal)) return true
      const fill = cache.startFilling({ remote, path: file.path, key, keyOf }, "asked")
      return fill !== undefined && unlessAborted(fill.done, signal)
    },
    uncache: (files) => cache.drop(files.map(keyOf).filter((key) => key !== undefined)),
  }
}

/** A remote storage that reads cached files from the cache. */
export interface CachingStorage extends Storage {
  /** Returns the cache status of each file, in the same order. */
  cacheStatuses(files: readonly StoredFile[]): Promise<readonly CacheStatus[]>
  /**
   * Brings a file into the cache. Returns true if it is cached now, and false if it does not fit.
   * @throws what prevented it
   */
  cache(file: StoredFile, signal?: AbortSignal): Promise<boolean>
  /** Removes these files from the cache, for every fileset that reads them. */
  uncache(files: readonly StoredFile[]): Promise<void>
}

export function isCachingStorage(storage: Storage): storage is CachingStorage {
  return "cacheStatuses" in storage
}
