import { link, lstat, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { BackupFileset } from "@assay/registry"
import { walkFiles } from "./local-files.ts"

/** The files of the filesets as they were when they were looked at, however long the archive takes. */
export interface FilesSnapshot {
  /** Where they are now. */
  readonly root: string
  readonly files: number
  readonly bytes: number
  /** Links and devices that others put there, which no backup holds. */
  readonly skipped: number
}

export interface LinkOptions {
  readonly filesets: AsyncIterable<BackupFileset>
  /** The folder of the default storage. */
  readonly storageFolder: string
  /** An empty folder on the same file system; undefined: the files are read where they are. */
  readonly links: string | undefined
  readonly signal: AbortSignal
}

/** Below the default storage, where the files of a fileset are. */
export function filesetFolder({ workspace, folder }: BackupFileset): string {
  return `filesets/${workspace}/${folder}`
}

/**
 * Gives every file a second name. A file of the default storage is never written in place, so a link keeps its bytes while
 * the server replaces or deletes the file. Where the file system has no links, files are read where they are.
 */
export async function linkFilesets({ filesets, storageFolder, links, signal }: LinkOptions): Promise<FilesSnapshot> {
  const counts = { files: 0, bytes: 0, skipped: 0 }
  let root = links ?? storageFolder
  const made = new Set<string>()
  for await (const fileset of filesets) {
    const below = filesetFolder(fileset)
    made.clear()
    for await (const path of walkFiles(join(storageFolder, below), () => (counts.skipped += 1))) {
      signal.throwIfAborted()
      const file = join(storageFolder, below, path)
      if (root !== storageFolder && !(await linkOne(file, join(root, below, path), made))) root = storageFolder
      const stats = await lstat(file).catch(() => undefined)
      counts.files += 1
      counts.bytes += stats?.size ?? 0
    }
  }
  return { root, ...counts }
}

/** Whether it could be linked, or is gone. */
async function linkOne(from: string, to: string, made: Set<string>): Promise<boolean> {
  const folder = dirname(to)
  if (!made.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 })
  made.add(folder)
  try {
    await link(from, to)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}
