import { join } from "node:path"
import { unlessAborted } from "@assay/http"
import { onTestFinished } from "vitest"
import { openCacheHome } from "../cache/cache-home.ts"
import { createReadCache, type ReadCache } from "../cache/read-cache.ts"
import { withCache, type CachingStorage } from "../cache/with-cache.ts"
import { openLocalStorage } from "../local/open.ts"
import { createContentChecks } from "../local/verifying/content-checks.ts"
import type { OpenedStorage } from "../open-storage.ts"
import type { Storage } from "../storage.ts"
import { makeTestFolder } from "./make-test-folder.ts"
import { createMemoryCacheIndex } from "./memory-cache-index.ts"

export interface TestCacheOptions {
  /** Default 1 GiB. */
  readonly maxBytes?: number | undefined
  /** Default storage to use instead of a folder of the test. */
  readonly home?: OpenedStorage | undefined
  /** The index of an earlier cache with the same home. */
  readonly index?: ReturnType<typeof createMemoryCacheIndex> | undefined
}

export interface TestCache {
  readonly cache: ReadCache
  readonly index: ReturnType<typeof createMemoryCacheIndex>
  /** The default storage at its root. */
  readonly home: OpenedStorage
  /** The folder in which files grow before they are sent to a default storage that is not local. */
  readonly spoolFolder: string
  /** The warnings of the cache so far. */
  readonly warnings: readonly string[]
  /** Wraps a storage with the cache. */
  readonly open: (remote: OpenedStorage) => CachingStorage
}

/** Creates a cache for the current test. */
export async function openTestCache({
  maxBytes = 1_073_741_824,
  home,
  index = createMemoryCacheIndex(),
}: TestCacheOptions = {}): Promise<TestCache> {
  const folder = await makeTestFolder()
  const local = { type: "local", path: join(folder, "storage") } as const
  const checks = createContentChecks({ now: Date.now, onDamage: () => {} })
  onTestFinished(() => checks.close())
  const { storage, configuration } = home ?? { storage: openLocalStorage(local, { checks }), configuration: local }
  const spoolFolder = join(folder, "spool")
  const warnings: string[] = []
  let made = 0
  const cache = createReadCache({
    home: openCacheHome({ configuration, open: async () => storage, spoolFolder, newId: () => `spool-${made++}` }),
    index,
    maxBytes,
    warn: (error, what) => void warnings.push(`Could not ${what}: ${String(error)}`),
  })
  return {
    cache,
    index,
    home: { storage, configuration },
    spoolFolder,
    warnings,
    open(remote) {
      const cached = withCache(remote.storage, { cache, configuration: remote.configuration })
      if (cached === undefined) throw new Error("The storage can't be cached: its configuration pins nothing.")
      return cached
    },
  }
}

/** A storage whose reads of whole files stop before a byte until it is opened. */
export interface Gate {
  readonly storage: Storage
  /** Lets all bytes pass. */
  open(): void
}

/**
 * Wraps a storage.
 * @param remote a storage with pieces that are much shorter than the limit
 * @param limit the first byte that waits
 */
export function withGate(remote: Storage, limit: number): Gate {
  const gate = Promise.withResolvers<void>()
  async function* throttle(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
    let at = 0
    for await (const piece of bytes) {
      if (at + piece.byteLength > limit) await unlessAborted(gate.promise, signal)
      at += piece.byteLength
      yield piece
    }
  }
  const storage: Storage = {
    ...remote,
    async read(path, options = {}) {
      const { release: _release, ...read } = await remote.read(path, options)
      return read.range === undefined ? { ...read, bytes: throttle(read.bytes, options.signal) } : read
    },
  }
  return { storage, open: gate.resolve }
}
