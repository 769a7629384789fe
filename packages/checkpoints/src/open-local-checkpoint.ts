import { statSync } from "node:fs"
import { basename } from "node:path"
import { AssayError } from "@assay/schemas/errors"
import { localFailure, openFolderStorage, type Storage } from "@assay/storage"

/**
 * Opens the folder of a checkpoint, whose name is a name of the model.
 * @param folder absolute path
 * @throws `not_found`; `path_conflict` if the path is not a folder
 */
export function openLocalCheckpoint(folder: string): { readonly storage: Storage; readonly names: readonly string[] } {
  if (isFolder(folder)) return { storage: openFolderStorage(folder), names: [basename(folder)] }
  throw new AssayError(
    "path_conflict",
    `'${folder}' is a file, and a folder is needed: name the folder that contains it.`,
  )
}

function isFolder(absolutePath: string): boolean {
  try {
    return statSync(absolutePath).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", absolutePath)
  }
}
