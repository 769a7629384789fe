import { createHash } from "node:crypto"
import { existsSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { AssayError } from "@assay/schemas"
import { createFolderAtOnce, takeProcessLock } from "@assay/storage"

/** The temporary folders of a backup. */
export interface Staging extends Disposable {
  /** A folder in the data folder. */
  readonly folder: string
  /** A folder on the file system of the default storage, for hard links. Undefined if it can't be made. */
  readonly links: string | undefined
}

/**
 * Makes the temporary folders of a backup.
 * @throws `bad_settings` while another backup of the same data folder is running
 */
export function openStaging(dataFolder: string, storageFolder: string | undefined): Staging {
  const lock = lockBackups(dataFolder)
  if (lock === undefined) {
    throw new AssayError("bad_settings", `Another backup of '${dataFolder}' is running: wait for it.`)
  }
  const { folder, links } = foldersOf(dataFolder, storageFolder)
  const clear = () => removeAll(folder, links)
  clear()
  createFolderAtOnce(folder, { mode: 0o700, durable: false })
  // A backup must not create the storage of a server that has none.
  const canLink = links !== undefined && storageFolder !== undefined && existsSync(storageFolder) && canMake(links)
  return {
    folder,
    links: canLink ? links : undefined,
    [Symbol.dispose]() {
      try {
        clear()
      } catch {
        // The archive has what it needs. The next backup and the next start of the server clear the folders.
      } finally {
        lock[Symbol.dispose]()
      }
    },
  }
}

/** Removes the temporary folders of a backup that was killed. Their links would keep the bytes of deleted files. */
export function sweepStaging(dataFolder: string, storageFolder: string | undefined): void {
  const { folder, links } = foldersOf(dataFolder, storageFolder)
  if (!existsSync(folder)) return
  const lock = tryLockBackups(dataFolder)
  if (lock === undefined) return
  removeAll(folder, links)
  lock[Symbol.dispose]()
}

function foldersOf(
  dataFolder: string,
  storageFolder: string | undefined,
): { folder: string; links: string | undefined } {
  // Several servers with their own data folders can share a storage.
  const id = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16)
  return {
    folder: join(dataFolder, ".backup"),
    links: storageFolder === undefined ? undefined : join(storageFolder, ".backup", id),
  }
}

function removeAll(folder: string, links: string | undefined): void {
  rmSync(folder, { recursive: true, force: true })
  if (links === undefined) return
  rmSync(links, { recursive: true, force: true })
  try {
    rmdirSync(dirname(links))
  } catch {
    // The folder does not exist, or holds the links of another server.
  }
}

function lockBackups(dataFolder: string): Disposable | undefined {
  return takeProcessLock(join(dataFolder, "backup.lock"))
}

/** Ignores a full disk: the server can start without this, and the next start sweeps again. */
function tryLockBackups(dataFolder: string): Disposable | undefined {
  try {
    return lockBackups(dataFolder)
  } catch {
    return undefined
  }
}

function canMake(folder: string): boolean {
  try {
    createFolderAtOnce(folder, { mode: 0o700, durable: false })
    return true
  } catch {
    return false
  }
}
