import type { Dir } from "node:fs"
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { isTemporaryName } from "@assay/storage"

/** Every regular file below a folder, as a path relative to it. Files that are still being written are passed over. */
export async function* walkFiles(
  folder: string,
  onSkipped: (path: string) => void = () => {},
  below = "",
): AsyncGenerator<string, void, undefined> {
  const entries = await openFolder(join(folder, below))
  if (entries === undefined) return
  for await (const entry of entries) {
    if (isTemporaryName(entry.name)) continue
    const path = below === "" ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* walkFiles(folder, onSkipped, path)
    else if (entry.isFile()) yield path
    else onSkipped(path)
  }
}

/** Undefined for one that is gone. */
async function openFolder(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw error
  }
}
