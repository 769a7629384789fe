import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"
import { openFailure } from "@assay/storage"
import { messageOf } from "../message-of.ts"

/** The folder into which a restore unpacks, until everything is unpacked and checked. */
export const RESTORING_FOLDER = ".restoring"

/**
 * Makes the data folder (mode 0700) and locks it: two servers on one folder would overwrite each other's files.
 * @throws `bad_settings` if the folder can't be made, another server has it, or a restore into it did not end; `disk_full`,
 * `local_file_failed` if it can't be locked
 */
export function openDataFolder(
  folder: string,
  { restoring = false }: { readonly restoring?: boolean } = {},
): Disposable {
  try {
    makeFolder(folder)
  } catch (error) {
    throw new AssayError(
      "bad_settings",
      `The data folder '${folder}' can't be made: ${(error as Error).message}. Set ASSAY_DATA_DIR.`,
      { cause: error },
    )
  }
  const lock = takeProcessLock(join(folder, "server.lock"))
  if (lock === undefined) {
    const message = `Another server is using the data folder '${folder}': stop it, or set ASSAY_DATA_DIR to another folder.`
    throw new AssayError("bad_settings", message)
  }
  if (!restoring && existsSync(join(folder, RESTORING_FOLDER))) {
    lock[Symbol.dispose]()
    throw new AssayError(
      "bad_settings",
      `A restore into the data folder '${folder}' did not end: run 'assay restore --force' again, or delete '${join(folder, RESTORING_FOLDER)}'.`,
    )
  }
  return lock
}

function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let place = dirname(folder); ; place = dirname(place)) {
    syncFolderAtOnce(place)
    if (place === dirname(first)) return
  }
}

/** Waits until the names in a folder are on the disk. */
export function syncFolderAtOnce(folder: string): void {
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const SQLITE_BUSY = 5

/**
 * Takes the lock in `file`, which is created if it is missing. It is a lock of the operating system on an empty database
 * file, so it ends with the process, however that ends. Returns undefined while another process holds the lock.
 * @throws `disk_full`, `unavailable`, `upstream_failed` if the disk fails; `local_file_failed` if the file can't be made or locked otherwise
 */
export function takeProcessLock(file: string): Disposable | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    lock.exec("begin exclusive")
    const held = lock
    return { [Symbol.dispose]: () => held.close() }
  } catch (cause) {
    lock?.close()
    const code = (cause as { readonly errcode?: unknown }).errcode
    if (code === SQLITE_BUSY) return undefined
    const failure = openFailure(cause, file)
    if (failure?.code === "disk_full") {
      const message = `The disk is full: the file '${file}' can't be written; free some space, then try again.`
      throw new AssayError("disk_full", message, { cause })
    }
    if (failure !== undefined) throw failure
    throw new AssayError("local_file_failed", `The file '${file}' can't be locked: ${messageOf(cause)}.`, { cause })
  }
}
