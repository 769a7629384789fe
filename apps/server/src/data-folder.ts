import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"

/** Holds what a restore has unpacked, until all of it is there and checked. */
export const RESTORING_FOLDER = ".restoring"

/**
 * Makes the data folder (0700) and holds it: two servers on one folder would overwrite each other's files. The lock is
 * the operating system's, by way of a database file, so that it ends with the process however that dies.
 * @throws `bad_settings` where the folder can't be made, another server has it, or a restore into it did not end
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
  if (!restoring && existsSync(join(folder, RESTORING_FOLDER))) {
    lock.close()
    throw new AssayError(
      "bad_settings",
      `A restore into the data folder '${folder}' did not end: run 'assay restore --force' again, or delete '${join(folder, RESTORING_FOLDER)}'.`,
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
