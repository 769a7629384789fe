import { lstatSync, type Dir } from "node:fs"
import { opendir } from "node:fs/promises"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { diskFailure, isTemporaryName } from "@assay/storage"

/**
 * Lists every regular file below a folder, as a path relative to it. Skips files that are still being written.
 * @param onSkipped called with each entry that is neither a file nor a folder
 */
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

/** Returns undefined if the folder is gone. */
async function openFolder(path: string): Promise<Dir | undefined> {
  try {
    return await opendir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return undefined
    throw error
  }
}

/** Returns the size and time of a file, or undefined if there is no regular file at the path. */
export function statFile(file: string): { readonly size: number; readonly mtimeNs: bigint } | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() === true ? { size: Number(stats.size), mtimeNs: stats.mtimeNs } : undefined
}

/** Primary result codes of SQLite that blame the file or the disk. Source: https://www.sqlite.org/rescode.html */
const SQLITE_FILE_ERRORS: ReadonlySet<number> = new Set([7, 8, 10, 13, 14])

/** Returns an error of the operating system, or of SQLite about a file, as an `AssayError`, and any other error unchanged. */
export function fileFailure(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !isOfFile(error)) return error
  const isFull = diskFailure(error)?.code === "disk_full"
  const message = `${doing} failed: ${error.message}.`
  return new AssayError(isFull ? "disk_full" : "local_file_failed", message, { cause: error })
}

function isOfFile(error: Error): boolean {
  if ("errcode" in error && typeof error.errcode === "number") return SQLITE_FILE_ERRORS.has(error.errcode & 0xff)
  return "syscall" in error && "code" in error
}
