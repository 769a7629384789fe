import type { FilePath } from "../file-path.ts"
import { createPathLocks } from "../path-locks.ts"
import type { ReadOptions, Storage, StoredFile } from "../storage.ts"
import { hasEntry, readEntry, type EntryRead, type CacheBasis } from "./cache-entry.ts"
import type { FileFacts } from "./cache-index.ts"
import { cachePath } from "./cache-key.ts"
import { startFill, type Fill } from "./fill.ts"

export interface ReadCacheOptions extends CacheBasis {
  /** Bytes of all cached files together, those included that are being filled in. More than 0. */
  readonly maxBytes: number
}

/** A file of a remote storage, and what it is known by. */
export interface RemoteFile {
  readonly remote: Storage
  readonly path: FilePath
  readonly key: string
  /** What the remote side has told of it just now, where it was asked. */
  readonly known?: StoredFile
  /** The key of what was opened: the file can have changed since it was looked at. Undefined where nothing pins it. */
  readonly keyOf: (file: StoredFile) => string | undefined
}

/** Why a file is filled in: a reader waits for it, it is likely to be read soon, or somebody asked for it. */
export type FillReason = "read" | "ahead" | "asked"

/** The cached files of all remote filesets of a server. */
export interface ReadCache {
  readonly maxBytes: number
  /** What is known of a cached file. */
  facts(key: string): Promise<FileFacts | undefined>
  /** Reads a cached file; undefined where it is not there, whole. @throws `range_not_satisfiable` */
  read(key: string, options: ReadOptions): Promise<EntryRead | undefined>
  /** Whether a file is cached, its bytes looked at. */
  has(key: string, signal?: AbortSignal): Promise<boolean>
  /** Those of `keys` that are cached, by what is known. */
  filter(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** The fill of a file that is under way in this process. */
  filling(key: string): Fill | undefined
  /** Fills a file in, or joins who does so already. Undefined where too many are at it. */
  startFilling(file: RemoteFile, reason: FillReason): Fill | undefined
  drop(keys: readonly string[]): Promise<void>
  /** Ends every fill that is under way; nothing of them is kept. */
  close(): Promise<void>
}

/** Fills at a time from which on no other one is begun: each holds some parts of its file in memory. */
const MAX_FILLS: Readonly<Record<FillReason, number>> = { asked: Infinity, read: 8, ahead: 2 }

export function createReadCache(options: ReadCacheOptions): ReadCache {
  const { home, index, warn, maxBytes } = options
  const closing = new AbortController()
  const fills = new Map<string, Fill>()
  const settling = new Set<Promise<void>>()
  /** Bytes of the files that are being filled in. */
  let reserved = 0
  const locks = createPathLocks()
  /** One after the other: a file that goes from those that are filled in to those that are cached must count once. */
  const inTurn = <T>(work: () => Promise<T>) => locks.exclusive("room", work)

  /** A file that is left over is found by `settleCache`. */
  async function removeBytes(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      try {
        await (await home.open()).delete(cachePath(key))
      } catch (error) {
        warn(error, "remove a file of the read cache")
      }
    }
  }

  async function makeRoom(): Promise<void> {
    await removeBytes(await index.evict(maxBytes - reserved))
  }

  function begin({ remote, path, key, keyOf }: RemoteFile): { readonly fill: Fill; readonly release: () => void } {
    let size = 0
    const release = () => {
      reserved -= size
      size = 0
    }
    const fill = startFill({
      remote,
      path,
      signal: closing.signal,
      admit: (file) =>
        inTurn(async () => {
          if (keyOf(file) === undefined || reserved + file.size > maxBytes) return false
          size = file.size
          reserved += size
          await makeRoom()
          return true
        }),
      openSpool: (file) => home.openSpool(keyOf(file) ?? key),
      async keep(file, spool, digest) {
        const { path: _path, ...facts } = file
        const actual = keyOf(file) ?? key
        await home.publish(spool, actual, file.size, closing.signal)
        await inTurn(async () => {
          await index.put({ key: actual, facts, digest })
          release()
        })
      },
    })
    return { fill, release }
  }

  async function settle(fill: Fill, { path, key }: RemoteFile, release: () => void): Promise<void> {
    try {
      await fill.done
    } catch (error) {
      // What the remote side fails with is told to those who read.
      if (fill.remoteFailure() === undefined && !closing.signal.aborted) warn(error, `cache '${path}'`)
    }
    release()
    fills.delete(key)
    // Another server can have filled in something as well.
    await inTurn(makeRoom).catch((error: unknown) => warn(error, "make room in the read cache"))
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
      await removeBytes(keys)
    },
    async close() {
      closing.abort()
      await Promise.all(settling)
    },
  }
}
