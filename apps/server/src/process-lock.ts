import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"

const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Takes the lock in `file`, which is made if it is missing. The lock is the operating system's, by way of an empty database file, so
 * that it ends with the process however that dies. Returns undefined while another process holds it.
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
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw code === SQLITE_FULL
      ? new AssayError("disk_full", `There is no room left for the file '${file}'; free some, then try again.`, {
          cause,
        })
      : new AssayError("local_file_failed", `The file '${file}' can't be locked: ${reason}.`, { cause })
  }
}
