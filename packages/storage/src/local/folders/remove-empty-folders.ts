import { rmdir } from "node:fs/promises"
import { openFolder } from "./folder.ts"
import { folderOf, nameOf } from "./root.ts"

/**
 * Removes the folder at `path` and its parents up to the root while they are empty. A file created there meanwhile is
 * safe, because the system removes only empty folders.
 */
export async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = path; folder !== ""; folder = folderOf(folder)) {
    // A folder that can't be removed must not make the caller's work fail.
    if (!(await removeFolder(root, folder).catch(() => false))) return
  }
}

async function removeFolder(root: string, path: string): Promise<boolean> {
  const parent = await openFolder(root, folderOf(path))
  try {
    await rmdir(parent.at(nameOf(path)))
    return true
  } finally {
    await parent.close()
  }
}
