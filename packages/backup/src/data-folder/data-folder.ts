import { existsSync } from "node:fs"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { createFolderAtOnce, diskFailure, pathErrorCode, takeProcessLock } from "@assay/storage"

/** The folder into which a restore unpacks, until everything is unpacked and checked. */
export const RESTORING_FOLDER = ".restoring"

/**
 * Makes the data folder (mode 0700) and locks it: two servers on one folder would overwrite each other's files.
 * @throws `bad_settings` if the folder can't be made, another server has it, or a restore into it did not end; `disk_full`,
 * `local_file_failed` if the disk fails or it can't be locked
 */
export function openDataFolder(
  folder: string,
  { restoring = false }: { readonly restoring?: boolean } = {},
): Disposable {
  try {
    createFolderAtOnce(folder, { mode: 0o700 })
  } catch (error) {
    throw new AssayError(
      pathErrorCode(diskFailure(error)),
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
