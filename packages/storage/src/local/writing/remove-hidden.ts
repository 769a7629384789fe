import { unlink } from "node:fs/promises"

/**
 * Removes a hidden name of a file. Never fails: the sweep at the next start removes the rest. It runs on another thread, because
 * the file system lets it wait for the disk while it stores other changes.
 */
export async function removeHidden(path: string): Promise<void> {
  await unlink(path).catch(() => {})
}
