import { mkdir, rmdir } from "node:fs/promises"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas"
import { createFolder, syncFolder } from "../../create-folder.ts"
import { folderOf, joinPath, nameOf, quotePath } from "../../file-path.ts"
import type { LocalContext } from "../context.ts"
import { systemCode } from "../errors.ts"
import { openFolder, type Folder } from "./folder.ts"

/** Maximum number of attempts. A concurrent delete removes empty folders, so a new folder can disappear again. */
const MAX_ATTEMPTS = 100

type FolderContext = Pick<LocalContext, "root" | "durable" | "locks">

/** Opens the folder at `path`. If it is missing, it is created with its parents and made durable. An error leaves no new folder. */
export async function makeFolder(local: FolderContext, path: string): Promise<Folder> {
  try {
    return await openOrCreate(local, path)
  } catch (error) {
    // Empty ones that others need are created again by them.
    await removeEmptyFolders(local.root, path)
    throw error
  }
}

async function openOrCreate(local: FolderContext, path: string): Promise<Folder> {
  const { root, durable } = local
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      const folder = await openFolder(root, path)
      if (durable) await closeOnError(folder, settleNames(local, folder))
      return folder
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error
    }
    if (path === "") await local.locks.exclusive(lockOf(root), () => createFolder(root, { durable }))
    else await makeChild(local, path)
  }
  const message = `Folder ${quotePath(path)} can't be created: it is removed again, or a broken link is there.`
  throw new AssayError("path_conflict", message, { context: { storage: "local", path } })
}

async function closeOnError(folder: Folder, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    await folder.close()
    throw error
  }
}

/** Returns the name of the lock that is held until the name of a new folder is on the disk. No file path ends with a slash. */
const lockOf = (folder: string): string => `${folder}/`

/**
 * Another write can have created this folder or one above it, and not be done. Its name would then reach the disk after this write has
 * returned.
 */
async function settleNames({ locks }: FolderContext, folder: Folder): Promise<void> {
  for (let current = folder.real; current !== dirname(current); current = dirname(current)) {
    if (locks.isBusy(lockOf(current))) await syncFolder(dirname(current))
  }
}

async function makeChild(local: FolderContext, path: string): Promise<void> {
  const parent = await makeFolder(local, folderOf(path))
  const name = nameOf(path)
  try {
    await local.locks.exclusive(lockOf(joinPath(parent.real, name)), async () => {
      await mkdir(parent.at(name))
      if (!local.durable) return
      await parent.sync().catch(async (error: unknown) => {
        await rmdir(parent.at(name)).catch(() => {})
        throw error
      })
    })
  } catch (error) {
    // Another write created the folder, or a delete removed its parent. The next attempt finds out which.
    const code = systemCode(error)
    if (code !== "EEXIST" && code !== "ENOENT") throw error
  } finally {
    await parent.close()
  }
}

/**
 * Removes the folder at `path` and its parents up to the root while they are empty. A file created there meanwhile is
 * safe, because the system removes only empty folders.
 */
export async function removeEmptyFolders(root: string, path: string): Promise<void> {
  for (let folder = path; folder !== ""; folder = folderOf(folder)) {
    // A folder that can't be removed must not make the caller's work fail.
    if (!(await removeFolder(root, folder).catch((error: unknown) => systemCode(error) === "ENOENT"))) return
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
