import { type Dir, lstatSync } from "node:fs"
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
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

/** Size and time of a file; undefined for what is none. */
export function lookAt(file: string): { readonly size: number; readonly mtimeNs: bigint } | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? { size: Number(stats.size), mtimeNs: stats.mtimeNs } : undefined
}

/** The system's error as one of ours; anything else comes back as it is. */
export function fileFailure(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "EFBIG"
  const message = `${doing} failed: ${error.message}.`
  return new AssayError(isFull ? "disk_full" : "local_file_failed", message, { cause: error })
}
