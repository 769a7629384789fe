import type { StoredFile } from "../storage.ts"

/** What the remote side told of a file, kept so that a cached file is answered for without asking again. */
export type FileFacts = Omit<StoredFile, "path">

/** One cached file. */
export interface CacheEntry {
  /** What pins its content, as a digest: it names the bytes too. */
  readonly key: string
  readonly facts: FileFacts
  /** SHA-256 of the bytes as they came, lower-case hex. */
  readonly digest: string
}

/** What is in the cache. Several servers can share one: each sees what another has put there. */
export interface CacheIndex {
  get(key: string): Promise<CacheEntry | undefined>
  /** Those of `keys` that have an entry. */
  filter(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Keeps an entry, used just now; answers when `get` finds it. Its bytes are in their place already. */
  put(entry: CacheEntry): Promise<void>
  /** Notes that an entry is used. Nobody waits for it, and what is used again within a minute need not be noted. */
  touch(key: string): void
  remove(keys: readonly string[]): Promise<void>
  /** Removes the entries that were used longest ago until the others have at most `bytes` in all; answers their keys. */
  evict(bytes: number): Promise<readonly string[]>
  /** Every entry, in the order of the keys. */
  list(): AsyncIterable<Pick<CacheEntry, "key" | "facts">>
}
