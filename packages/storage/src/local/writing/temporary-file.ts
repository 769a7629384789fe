import { unlink } from "node:fs/promises"
import type { LocalContext } from "../context.ts"
import { systemCode } from "../errors.ts"
import { makeFolder, removeEmptyFolders } from "../folders/create-and-remove.ts"
import type { Folder } from "../folders/folder.ts"
import { createNewFile, type NewFile } from "./new-file.ts"

/** Prefix of files that are being written. Such names are not listed or served, and users can't choose them. */
export const TEMPORARY_PREFIX = ".assay-tmp-"

export function isTemporaryName(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX)
}

/** Returns whether any segment of `path` is a temporary name. */
export function isTemporaryPath(path: string): boolean {
  return path.includes(TEMPORARY_PREFIX) && path.split("/").some(isTemporaryName)
}

const MAX_ATTEMPTS = 1000

/** A file that is being written in its final folder, so that only a rename remains. */
export interface TemporaryFile {
  readonly folder: Folder
  readonly name: string
  readonly file: NewFile
  close(): Promise<void>
  /** Removes the file, and the folders that were created only for it. */
  discard(): Promise<void>
}

/**
 * Creates a temporary file in the folder at `path`, and the folder if it is missing.
 * @param create creates the file at a system path. Default: an empty one.
 */
export async function createTemporaryFile(
  local: Pick<LocalContext, "root" | "newId" | "durable" | "locks">,
  path: string,
  create: (path: string) => NewFile = createNewFile,
): Promise<TemporaryFile> {
  for (let attempt = 1; ; attempt++) {
    const folder = await makeFolder(local, path)
    const name = TEMPORARY_PREFIX + local.newId()
    try {
      return temporaryFile(local.root, folder, name, create(folder.at(name)))
    } catch (error) {
      await folder.close()
      // The name is in use, or a delete removed the folder while it was empty.
      const code = systemCode(error)
      if ((code !== "EEXIST" && code !== "ENOENT") || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

function temporaryFile(root: string, folder: Folder, name: string, file: NewFile): TemporaryFile {
  return {
    folder,
    name,
    file,
    async close() {
      file.close()
      await folder.close()
    },
    async discard() {
      // A failure here must not hide why the file is discarded. The sweep at the next start removes the rest.
      await unlink(folder.at(name)).catch(() => {})
      file.close()
      await folder.close().catch(() => {})
      await removeEmptyFolders(root, folder.path)
    },
  }
}
