import { rename } from "node:fs/promises"
import type { StorageConfiguration } from "@assay/schemas"
import { folderOf, nameOf } from "../local/folders/root.ts"
import type { Storage } from "../storage.ts"
import { cachePath } from "./cache-key.ts"
import { openSpool, type Spool } from "./spool.ts"

/** Where the bytes of the cache lie. */
export interface CacheHome {
  /** The server's default storage, opened at its root; cached files are below `cache/`. */
  open(): Promise<Storage>
  /** Makes a spool for what is to become the bytes of `key`. */
  openSpool(key: string): Promise<Spool>
  /** Gives the whole of a spool its place, durable: all of it or nothing. The spool can still be read. */
  publish(spool: Spool, key: string, size: number, signal: AbortSignal): Promise<void>
}

export interface CacheHomeOptions {
  /** Of the default storage, at its root. */
  readonly configuration: StorageConfiguration
  /** Opens it, or answers with what is open already. */
  readonly open: () => Promise<Storage>
  /** A folder of this machine where files grow before they are sent to a default storage that is not local. */
  readonly spoolFolder: string
  /** Names files that are still growing. */
  readonly newId: () => string
}

/**
 * The cache on a default storage. On a local one a file grows beside its place, and then gets its name; to any other one
 * it is sent once it is whole.
 */
export function openCacheHome({ configuration, open, spoolFolder, newId }: CacheHomeOptions): CacheHome {
  if (configuration.type === "local") {
    const context = { root: configuration.path, newId, durable: true }
    return { open, openSpool: (key) => openSpool(context, folderOf(cachePath(key))), publish: giveName }
  }
  const context = { root: spoolFolder, newId, durable: false }
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
  const { folder, name, handle } = temporary
  await handle.sync()
  await rename(folder.at(name), folder.at(nameOf(cachePath(key))))
  await folder.sync()
  await temporary.close()
}

const PIECE = 1_048_576

async function* piecesOf(spool: Spool, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < size; start += PIECE) {
    // A piece belongs to who writes it, so each is its own.
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, size - start))
    await spool.read(start, piece)
    yield piece
  }
}
