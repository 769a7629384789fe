import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"

/**
 * Makes the data folder (0700) and holds it: two servers on one folder would overwrite each other's files. The lock is
 * the operating system's, by way of a database file, so that it ends with the process however that dies.
 * @throws `bad_settings` where the folder can't be made or another server has it
 */
export function openDataFolder(folder: string): Disposable {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new AssayError(
      "bad_settings",
      `The data folder '${folder}' can't be made: ${(error as Error).message}. Set ASSAY_DATA_DIR.`,
      { cause: error },
    )
  }
  const lock = new DatabaseSync(join(folder, "server.lock"), { timeout: 0 })
  try {
    lock.exec("begin exclusive")
  } catch (error) {
    lock.close()
    throw new AssayError(
      "bad_settings",
      `Another server is using the data folder '${folder}': stop it, or set ASSAY_DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
