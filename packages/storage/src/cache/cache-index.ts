import type { StoredFile } from "../storage.ts"

/** The remote backend's description of a file. It is kept so that a cached file can be described without a request. */
export type FileFacts = Omit<StoredFile, "path">

/** One cached file. */
export interface CacheEntry {
  /** Digest of what identifies the content. It is also the name of the cached file. */
  readonly key: string
  readonly facts: FileFacts
  /** SHA-256 of the received bytes, lower-case hex. */
  readonly digest: string
}

/** The list of cached files. Several servers can share one, and each sees the entries of the others. */
export interface CacheIndex {
  get(key: string): Promise<CacheEntry | undefined>
  /** Returns those of `keys` that have an entry. */
  filter(keys: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Stores an entry and marks it as used now. It resolves when `get` finds the entry. The bytes must already be in
   * location.
   */
  put(entry: CacheEntry): Promise<void>
  /** Marks an entry as used, in the background. Repeated use within a minute may be ignored. */
  touch(key: string): void
  remove(keys: readonly string[]): Promise<void>
  /** Removes the least recently used entries until the others have at most `bytes` in all. Returns their keys. */
  evict(bytes: number): Promise<readonly string[]>
  /** Lists every entry, in the order of the keys. */
  list(): AsyncIterable<Pick<CacheEntry, "key" | "facts">>
}
