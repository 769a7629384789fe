import { link, lstat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createFolder } from "@assay/storage"
import type { ArchivedFile } from "./backup-archive.ts"
import type { FilesetFiles } from "./backup-manifest.ts"
import type { BackedUpFile, BackupFileset, BackupRecords, CopiedRecords } from "./backup-records.ts"
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
  if (!made.has(folder)) await createFolder(folder, { mode: 0o700, durable: false })
  made.add(folder)
  try {
    await link(from, to)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
  }
}

/** Files that are recorded in one transaction. */
const BATCH = 1000

interface ArchiveFilesetsOptions {
  readonly records: BackupRecords
  /** The records that go into the archive. Undefined: the database is backed up with its own tools. */
  readonly copied: CopiedRecords | undefined
  /** The folder that holds the folders of the filesets. */
  readonly root: string
  readonly archive: (file: string, path: string) => Promise<ArchivedFile | undefined>
  readonly onDamage: (damage: string) => void
}

/**
 * Adds the files of all filesets. A file keeps the digest that the database records for it. If its bytes have another
 * digest, this is reported now, and a check after a restore finds it again. Returns how many there are.
 */
export async function archiveFilesets(
  options: ArchiveFilesetsOptions,
): Promise<FilesetFiles & { readonly filesets: number }> {
  const { records, copied, root } = options
  const counts = { filesets: 0, files: 0, bytes: 0 }
  let kept: BackedUpFile[] = []
  const keep = async () => {
    await copied?.keep(kept)
    kept = []
  }
  for await (const fileset of (copied ?? records).filesets()) {
    counts.filesets += 1
    for await (const path of walkFiles(join(root, filesetFolder(fileset)))) {
      const file = await archiveOne(options, fileset, path)
      if (file === undefined) continue
      counts.files += 1
      counts.bytes += file.size
      kept.push(file)
      if (kept.length === BATCH) await keep()
    }
  }
  await keep()
  return counts
}

/** Returns undefined if the file is gone. A file without a recorded digest gets the digest of its bytes in the archive. */
async function archiveOne(
  { records, copied, root, archive, onDamage }: ArchiveFilesetsOptions,
  fileset: BackupFileset,
  path: string,
): Promise<BackedUpFile | undefined> {
  const below = filesetFolder(fileset)
  const archived = await archive(join(root, below, path), `storage/${below}/${path}`)
  if (archived === undefined) return undefined
  const { size, mtimeNs } = archived
  // A file that was replaced after it was linked no longer has a recorded digest.
  const sha256 = (await (copied ?? records).digestOf(fileset.id, { path, size, mtimeNs })) ?? archived.sha256
  if (sha256 !== archived.sha256) {
    const location = `${fileset.workspace}/${fileset.name}#${path}`
    onDamage(`${location} has the SHA-256 ${archived.sha256} instead of ${sha256}.`)
  }
  return { filesetId: fileset.id, path, size, mtimeNs, sha256 }
}
