import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"
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
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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

const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Takes the lock in `file`, which is created if it is missing. It is a lock of the operating system on an empty database
 * file, so it ends with the process, however that ends. Returns undefined while another process holds the lock.
 * @throws `disk_full`, `local_file_failed` if the file can't be made or locked
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
    const reason = messageOf(cause)
    throw code === SQLITE_FULL
      ? new AssayError(
          "disk_full",
          `The disk is full: the file '${file}' can't be written; free some space, then try again.`,
          {
            cause,
          },
        )
      : new AssayError("local_file_failed", `The file '${file}' can't be locked: ${reason}.`, { cause })
  }
}
