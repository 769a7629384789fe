import { mkdir, open, rmdir } from "node:fs/promises"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas"
import { folderOf, nameOf, quotePath } from "../../file-path.ts"
import { systemCode } from "../errors.ts"
import { openFolder, type Folder } from "./folder.ts"

/** Maximum number of attempts. A concurrent delete removes empty folders, so a new folder can disappear again. */
const MAX_ATTEMPTS = 100

/** Opens the folder at `path`. If it is missing, it is created with its parents and made durable. */
export async function makeFolder(root: string, path: string, durable: boolean): Promise<Folder> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await openFolder(root, path)
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error
    }
    if (path === "") await makeRoot(root, durable)
    else await makeChild(root, path, durable)
  }
  const message = `Folder ${quotePath(path)} can't be created: it is removed again, or a broken link is there.`
  throw new AssayError("path_conflict", message, { context: { storage: "local", path } })
}

async function makeChild(root: string, path: string, durable: boolean): Promise<void> {
  const parent = await makeFolder(root, folderOf(path), durable)
  try {
    await mkdir(parent.at(nameOf(path)))
    if (durable) await parent.sync()
  } catch (error) {
    // Another write created the folder, or a delete removed its parent. The next attempt finds out which.
    const code = systemCode(error)
    if (code !== "EEXIST" && code !== "ENOENT") throw error
  } finally {
    await parent.close()
  }
}

async function makeRoot(root: string, durable: boolean): Promise<void> {
  const first = await mkdir(root, { recursive: true })
  if (first === undefined || !durable) return
  for (let folder = dirname(root); ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === dirname(first)) return
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

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
