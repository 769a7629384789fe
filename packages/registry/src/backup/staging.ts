import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { AssayError } from "@assay/schemas"
import { takeProcessLock } from "../data-folder/process-lock.ts"

/** Where a backup keeps what it needs until its archive is written. */
export interface Staging extends Disposable {
  /** In the data folder. */
  readonly folder: string
  /** On the file system of the default storage, so that files can be linked there; undefined where nothing can be made. */
  readonly links: string | undefined
}

function foldersOf(
  dataFolder: string,
  storageFolder: string | undefined,
): { folder: string; links: string | undefined } {
  // Servers that share a storage have data folders of their own.
  const id = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16)
  return {
    folder: join(dataFolder, ".backup"),
    links: storageFolder === undefined ? undefined : join(storageFolder, ".backup", id),
  }
}

/** @throws `bad_settings` while another backup of the same data folder is under way */
export function openStaging(dataFolder: string, storageFolder: string | undefined): Staging {
  const lock = lockBackups(dataFolder)
  if (lock === undefined) {
    throw new AssayError("bad_settings", `Another backup of '${dataFolder}' is under way: wait for it.`)
  }
  const { folder, links } = foldersOf(dataFolder, storageFolder)
  const clear = () => removeAll(folder, links)
  clear()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A backup must not create the storage of a server that has none.
  const canLink = links !== undefined && storageFolder !== undefined && existsSync(storageFolder) && canMake(links)
  return {
    folder,
    links: canLink ? links : undefined,
    [Symbol.dispose]() {
      clear()
      lock[Symbol.dispose]()
    },
  }
}

/** Removes what a backup left behind that was killed: its links keep the bytes of deleted files. */
export function sweepStaging(dataFolder: string, storageFolder: string | undefined): void {
  const { folder, links } = foldersOf(dataFolder, storageFolder)
  if (!existsSync(folder)) return
  const lock = lockOrNothing(dataFolder)
  if (lock === undefined) return
  removeAll(folder, links)
  lock[Symbol.dispose]()
}

function removeAll(folder: string, links: string | undefined): void {
  rmSync(folder, { recursive: true, force: true })
  if (links === undefined) return
  rmSync(links, { recursive: true, force: true })
  try {
    rmdirSync(dirname(links))
  } catch {
    // Not there, or another server's links are in it.
  }
}

function lockBackups(dataFolder: string): Disposable | undefined {
  return takeProcessLock(join(dataFolder, "backup.lock"))
}

/** Ignores a full disk, since the server can start without this and the next start sweeps again. */
function lockOrNothing(dataFolder: string): Disposable | undefined {
  try {
    return lockBackups(dataFolder)
  } catch {
    return undefined
  }
}

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}
