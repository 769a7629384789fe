import { DatabaseSync } from "node:sqlite"
import { AssayError, messageOf } from "@assay/schemas"
import { openFailure } from "../disk-failure.ts"

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
