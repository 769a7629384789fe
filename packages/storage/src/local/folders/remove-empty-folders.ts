import { rmdir } from "node:fs/promises"
import { openFolder } from "./folder.ts"
import { folderOf, nameOf } from "./root.ts"

/**
 * Removes the folder at `path` and its parents, up to the root, as long as they are empty. A write that makes a file
 * there meanwhile is safe: the system removes no folder that holds something.
 */
export async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = path; folder !== ""; folder = folderOf(folder)) {
    // Whatever keeps a folder in place is no fault of the work that was done in it.
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
