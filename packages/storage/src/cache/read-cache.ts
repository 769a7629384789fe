import type { FilePath } from "../file-path.ts"
import { createPathLocks } from "../path-locks.ts"
import type { ReadOptions, Storage, StoredFile } from "../storage.ts"
import { hasEntry, readEntry, type EntryRead, type CacheBasis } from "./cache-entry.ts"
import type { FileFacts } from "./cache-index.ts"
import { cachePath } from "./cache-key.ts"
import { startFill, type Fill } from "./fill.ts"

export interface ReadCacheOptions extends CacheBasis {
  /** Maximum number of bytes of all cached files, including those being filled. More than 0. */
  readonly maxBytes: number
}

/** A file of a remote storage, with its key. */
export interface RemoteFile {
  readonly remote: Storage
  readonly path: FilePath
  readonly key: string
  /** The file's current description, if it was requested from the remote backend. */
  readonly known?: StoredFile
  /**
   * Returns the key of the file that was actually opened, which may have changed since. Returns undefined if nothing
   * identifies its content.
   */
  readonly keyOf: (file: StoredFile) => string | undefined
}

/** Why a file is filled: a reader waits for it, it will probably be read soon, or a user requested it. */
export type FillReason = "read" | "ahead" | "asked"

/** The cached files of all remote filesets of a server. */
export interface ReadCache {
  readonly maxBytes: number
  /** Returns the description of a cached file. */
  facts(key: string): Promise<FileFacts | undefined>
  /**
   * Reads a cached file. Returns undefined if it is not completely cached.
   * @throws `range_not_satisfiable`
   */
  read(key: string, options: ReadOptions): Promise<EntryRead | undefined>
  /** Returns whether a file is cached, after a look at its bytes. */
  has(key: string, signal?: AbortSignal): Promise<boolean>
  /** Returns those of `keys` that are cached, according to the index. */
  filter(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the current fill of a file in this process. */
  filling(key: string): Fill | undefined
  /** Starts to fill a file, or returns the fill that is running. Returns undefined if too many are running. */
  startFilling(file: RemoteFile, reason: FillReason): Fill | undefined
  drop(keys: readonly string[]): Promise<void>
  /** Aborts every running fill and discards its bytes. */
  close(): Promise<void>
}

/** Number of running fills from which no further one starts, by reason. Each holds some parts of its file in memory. */
const MAX_FILLS: Readonly<Record<FillReason, number>> = { asked: Infinity, read: 8, ahead: 2 }

export function createReadCache(options: ReadCacheOptions): ReadCache {
  const { home, index, warn, maxBytes } = options
  const closing = new AbortController()
  const fills = new Map<string, Fill>()
  const settling = new Set<Promise<void>>()
  const room = createCacheRoom(options)

  function begin({ remote, path, key, keyOf }: RemoteFile): { readonly fill: Fill; readonly release: () => void } {
    const reservation = room.reserve()
    const fill = startFill({
      remote,
      path,
      signal: closing.signal,
      admit: async (file) => keyOf(file) !== undefined && reservation.take(file.size),
      openSpool: (file) => home.openSpool(keyOf(file) ?? key),
      async keep(file, spool, digest) {
        const { path: _path, ...facts } = file
        const actual = keyOf(file) ?? key
        await home.publish(spool, actual, file.size, closing.signal)
        await reservation.exchange(() => index.put({ key: actual, facts, digest }))
      },
    })
    return { fill, release: reservation.release }
  }

  async function settle(fill: Fill, { path, key }: RemoteFile, release: () => void): Promise<void> {
    try {
      await fill.done
    } catch (error) {
      // Readers get the errors of the remote backend.
      if (fill.remoteFailure() === undefined && !closing.signal.aborted) warn(error, `cache '${path}'`)
    }
    release()
    fills.delete(key)
    // Another server may also have added files.
    await room.make().catch((error: unknown) => warn(error, "make room in the read cache"))
  }

  return {
    maxBytes,
    facts: async (key) => (await index.get(key))?.facts,
    read: (key, readOptions) => readEntry(options, key, readOptions),
    has: (key, signal) => hasEntry(options, key, signal),
    filter: (keys) => index.filter(keys),
    filling: (key) => fills.get(key),
    startFilling(file, reason) {
      const running = fills.get(file.key)
      if (running !== undefined) return running
      if (closing.signal.aborted || fills.size >= MAX_FILLS[reason]) return undefined
      const { fill, release } = begin(file)
      fills.set(file.key, fill)
      const settled = settle(fill, file, release).finally(() => settling.delete(settled))
      settling.add(settled)
      return fill
    },
    async drop(keys) {
      await index.remove(keys)
      await removeBytes(options, keys)
    },
    async close() {
      closing.abort()
      await Promise.all(settling)
    },
  }
}

/** The bytes of the cache: those of cached files, and those that fills have reserved. */
interface CacheRoom {
  /** Removes the least recently used files until the rest fits. */
  make(): Promise<void>
  reserve(): Reservation
}

/** The bytes of one fill. */
interface Reservation {
  /** Reserves the bytes of a file. Returns false if all fills together would have too many. */
  readonly take: (size: number) => Promise<boolean>
  /** Releases the bytes after `put` has added them to the cached ones. */
  readonly exchange: (put: () => Promise<void>) => Promise<void>
  readonly release: () => void
}

function createCacheRoom(options: ReadCacheOptions): CacheRoom {
  const { index, maxBytes } = options
  /** Bytes of the files that are being filled. */
  let reserved = 0
  const locks = createPathLocks()
  /** Run one after the other, so that a file that changes from being filled to being cached is counted once. */
  const inTurn = <T>(work: () => Promise<T>) => locks.exclusive("room", work)

  async function make(): Promise<void> {
    await removeBytes(options, await index.evict(maxBytes - reserved))
  }

  return {
    make: () => inTurn(make),
    reserve() {
      let size = 0
      const release = () => {
        reserved -= size
        size = 0
      }
      return {
        release,
        take: (bytes) =>
          inTurn(async () => {
            if (reserved + bytes > maxBytes) return false
            size = bytes
            reserved += size
            await make()
            return true
          }),
        exchange: (put) =>
          inTurn(async () => {
            await put()
            release()
          }),
      }
    },
  }
}

/** Removes the bytes. `settleCache` finds files that could not be removed. */
async function removeBytes({ home, warn }: ReadCacheOptions, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      await (await home.open()).delete(cachePath(key))
    } catch (error) {
      warn(error, "remove a file of the read cache")
    }
  }
}
