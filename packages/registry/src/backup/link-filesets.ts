import { link, lstat, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { BackupFileset } from "./backup-records.ts"
import { walkFiles } from "./local-files.ts"

/** The files of all filesets at one time. They stay unchanged however long the archive takes. */
export interface FilesSnapshot {
  /** The folder that holds the linked files. */
  readonly root: string
  readonly files: number
  readonly bytes: number
  /** Number of links and devices. A backup holds none. */
  readonly skipped: number
}

interface LinkOptions {
  readonly filesets: AsyncIterable<BackupFileset>
  /** The folder of the default storage. */
  readonly storageFolder: string
  /** An empty folder on the same file system. Undefined: the files are read from the storage folder. */
  readonly links: string | undefined
  readonly signal: AbortSignal
}

/** Returns the folder of a fileset, relative to the folder of the default storage. */
export function filesetFolder({ workspace, folder }: BackupFileset): string {
  return `filesets/${workspace}/${folder}`
}

/**
 * Makes a hard link to every file. The server never writes to an existing file of the default storage, so a link keeps its
 * bytes while the server replaces or deletes the file. If the file system has no links, the backup reads the files
 * themselves.
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

/** Returns false if the file system can't link the file. A file that is gone counts as linked. */
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
