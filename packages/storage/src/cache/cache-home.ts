import { createPathLocks } from "../path-locks.ts"
import { rename } from "node:fs/promises"
import type { StorageConfiguration } from "@assay/schemas"
import { folderOf, nameOf } from "../file-path.ts"
import type { Storage } from "../storage.ts"
import { cachePath } from "./cache-key.ts"
import { openSpool, type Spool } from "./spool.ts"

/** The location where the bytes of the cache are stored. */
export interface CacheHome {
  /** Opens the server's default storage at its root. Cached files are below `cache/`. */
  open(): Promise<Storage>
  /** Creates a spool for the bytes of `key`. */
  openSpool(key: string): Promise<Spool>
  /** Moves a complete spool to its final location, atomically and durably. The spool can still be read. */
  publish(spool: Spool, key: string, size: number, signal: AbortSignal): Promise<void>
}

export interface CacheHomeOptions {
  /** Configuration of the default storage, at its root. */
  readonly configuration: StorageConfiguration
  /** Opens the default storage, or returns the open one. */
  readonly open: () => Promise<Storage>
  /** A local folder in which files grow before they are sent to a default storage that is not local. */
  readonly spoolFolder: string
  /** Creates names for growing files. */
  readonly newId: () => string
}

/**
 * Creates the cache on a default storage. On a local storage, a file grows in its final folder and is then renamed. To
 * any other storage, it is sent when it is complete.
 */
export function openCacheHome({ configuration, open, spoolFolder, newId }: CacheHomeOptions): CacheHome {
  const locks = createPathLocks()
  if (configuration.type === "local") {
    const context = { root: configuration.path, newId, locks, durable: true }
    return { open, openSpool: (key) => openSpool(context, folderOf(cachePath(key))), publish: giveName }
  }
  const context = { root: spoolFolder, newId, locks, durable: false }
  return {
    open,
    openSpool: () => openSpool(context, ""),
    async publish(spool, key, size, signal) {
      await (await open()).write(cachePath(key), piecesOf(spool, size), { signal })
      await spool.temporary.discard()
    },
  }
}

async function giveName({ temporary }: Spool, key: string): Promise<void> {
  const { folder, name, file } = temporary
  await file.sync()
  await rename(folder.at(name), folder.at(nameOf(cachePath(key))))
  await folder.sync()
  await temporary.close()
}

const PIECE = 1_048_576

async function* piecesOf(spool: Spool, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += PIECE) {
    // The storage owns each piece that it is given, so each piece has its own memory.
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, size - start))
    await spool.read(start, piece)
    yield piece
  }
}
