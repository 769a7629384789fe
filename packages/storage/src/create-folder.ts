import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs"
import { mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { systemCode } from "./local/errors.ts"

export interface CreateFolderOptions {
  /** Permissions of new folders. Default: those of the process. */
  readonly mode?: number | undefined
  /** Whether to resolve only when a power failure can't undo it. Default true. */
  readonly durable?: boolean | undefined
}

/**
 * Creates a folder and its missing parents. Node's own recursive call reports a missing path when the file system is read-only, does
 * not wait for the disk, and never ends on a file system that has no new folders, such as /proc.
 * @param path an absolute path
 * @throws the system's error
 */
export async function createFolder(path: string, options: CreateFolderOptions = {}): Promise<void> {
  try {
    await createOne(path, options)
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || path === dirname(path)) throw error
    await createFolder(dirname(path), options)
    await createOne(path, options)
  }
}

async function createOne(path: string, { mode, durable = true }: CreateFolderOptions): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if (systemCode(error) === "EEXIST" && (await stat(path)).isDirectory()) return
    throw error
  }
  if (durable) await syncFolder(dirname(path))
}

/** Makes the entries of a folder durable. @throws the system's error */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

/** Creates a folder and its missing parents as `createFolder` does, and blocks this thread for that time. @throws the system's error */
export function createFolderAtOnce(path: string, options: CreateFolderOptions = {}): void {
  try {
    createOneAtOnce(path, options)
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || path === dirname(path)) throw error
    createFolderAtOnce(dirname(path), options)
    createOneAtOnce(path, options)
  }
}

function createOneAtOnce(path: string, { mode, durable = true }: CreateFolderOptions): void {
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if (systemCode(error) === "EEXIST" && statSync(path).isDirectory()) return
    throw error
  }
  if (durable) syncFolderAtOnce(dirname(path))
}

/** Waits until the names in a folder are on the disk, and blocks this thread for that time. */
export function syncFolderAtOnce(folder: string): void {
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
