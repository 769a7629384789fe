import { statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { type FilePath, localFailure, openFolderStorage, parseFilePath, type Storage } from "@assay/storage"

/** Files of this machine with rows. */
export interface LocalRows {
  readonly storage: Storage
  /** The file in the storage. Absent: all files. */
  readonly path?: FilePath
  /** Formats a file as the user writes it. */
  readonly nameOf: (path: string) => string
}

/**
 * Opens a file, or all files below a folder.
 * @param absolutePath absolute path
 * @param written the path as the user wrote it
 * @throws `not_found`, or another code of a file that can't be read; `bad_path` for a name that no file path can have
 */
export function openLocalRows(absolutePath: string, written: string): LocalRows {
  if (isFolder(absolutePath)) {
    const folder = written.replace(/[\\/]+$/, "")
    return { storage: openFolderStorage(absolutePath), nameOf: (path) => `${folder}/${path}` }
  }
  const path = parseFilePath(basename(absolutePath))
  return { storage: openFolderStorage(dirname(absolutePath)), path, nameOf: () => written }
}

function isFolder(absolutePath: string): boolean {
  try {
    return statSync(absolutePath).isDirectory()
  } catch (error) {
    throw localFailure(error, "read", absolutePath)
  }
}
