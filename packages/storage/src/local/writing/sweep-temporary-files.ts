import { lstat, opendir, unlink } from "node:fs/promises"
import { joinPath } from "../../file-path.ts"
import { isMissing, localError } from "../errors.ts"
import { removeEmptyFolders } from "../folders/create-and-remove.ts"
import { systemPath } from "../folders/root.ts"
import { isTemporaryName } from "./temporary-file.ts"

export interface SweepOptions {
  /**
   * Milliseconds since 1970. Files that were written to since then are kept, because another process may still use
   * them.
   */
  readonly olderThan: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Removes the temporary files that killed writes left in the folder `root` and below it. Links are not followed.
 * Returns the number of removed files.
 */
export async function sweepTemporaryFiles(root: string, options: SweepOptions): Promise<number> {
  try {
    return await sweepFolder(root, "", options)
  } catch (error) {
    throw localError(error, "delete", root)
  }
}

async function sweepFolder(root: string, folder: string, options: SweepOptions): Promise<number> {
  options.signal?.throwIfAborted()
  const entries = await opendir(systemPath(root, folder)).catch(ignoreMissing)
  if (entries === undefined) return 0
  let removed = 0
  for await (const entry of entries) {
    const path = joinPath(folder, entry.name)
    if (entry.isDirectory()) removed += await sweepFolder(root, path, options)
    else if (isTemporaryName(entry.name)) removed += await sweepFile(systemPath(root, path), options.olderThan)
  }
  if (removed > 0) await removeEmptyFolders(root, folder)
  return removed
}

/** Milliseconds by which the time of a file can be behind the clock: the kernel takes it from its last tick. */
const TICK_MS = 10

async function sweepFile(path: string, olderThan: number): Promise<number> {
  const stats = await lstat(path).catch(ignoreMissing)
  if (stats === undefined || stats.mtimeMs + TICK_MS >= olderThan) return 0
  await unlink(path).catch(ignoreMissing)
  return 1
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
