import { statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { localFailure, openFolderStorage, type Storage } from "@assay/storage"

/** Files of this machine with rows. */
export interface LocalRows {
  readonly storage: Storage
  /** The file in the storage. Absent: all files. */
  readonly path?: string
  /** Formats a file as the user writes it. */
  readonly nameOf: (path: string) => string
}

/**
 * Opens a file, or all files below a folder.
 * @param absolutePath absolute path
 * @param written the path as the user wrote it
 * @throws `not_found`, or another code of a file that can't be read
 */
export function openLocalRows(absolutePath: string, written: string): LocalRows {
  if (isFolder(absolutePath)) {
    const folder = written.replace(/[\\/]+$/, "")
    return { storage: openFolderStorage(absolutePath), nameOf: (path) => `${folder}/${path}` }
  }
  return { storage: openFolderStorage(dirname(absolutePath)), path: basename(absolutePath), nameOf: () => written }
}

function isFolder(absolutePath: string): boolean {
  try {
    return statSync(absolutePath).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", absolutePath)
  }
}
