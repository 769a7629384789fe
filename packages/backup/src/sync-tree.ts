import { opendir, open } from "node:fs/promises"
import { join } from "node:path"
import { syncFolder } from "@assay/storage"

/**
 * Waits until a power failure can't undo a folder with everything in it: first the files of a folder, then its folders, then
 * its names. It follows no links.
 * @throws the system's error
 */
export async function syncTree(folder: string, signal: AbortSignal): Promise<void> {
  for await (const entry of await opendir(folder)) {
    signal.throwIfAborted()
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncTree(path, signal)
    else if (entry.isFile()) await syncFile(path)
  }
  await syncFolder(folder)
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, "r+")
  await handle.sync()
}
