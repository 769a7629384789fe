import { join } from "node:path"
import type { ArchivedFile } from "./backup-archive.ts"
import type { BackedUpFile, BackupFileset, BackupRecords, CopiedRecords } from "./backup-records.ts"
import { filesetFolder } from "./link-filesets.ts"
import { walkFiles } from "./local-files.ts"

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
 * digest, this is reported now, and a check after a restore finds it again. Returns the number of filesets.
 */
export async function archiveFilesets(options: ArchiveFilesetsOptions): Promise<number> {
  const { records, copied, root } = options
  let filesets = 0
  let kept: BackedUpFile[] = []
  const keep = async () => {
    await copied?.keep(kept)
    kept = []
  }
  for await (const fileset of (copied ?? records).filesets()) {
    filesets += 1
    for await (const path of walkFiles(join(root, filesetFolder(fileset)))) {
      const file = await archiveOne(options, fileset, path)
      if (file === undefined) continue
      kept.push(file)
      if (kept.length === BATCH) await keep()
    }
  }
  await keep()
  return filesets
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
  // A file that was replaced after it was linked has no recorded digest any more.
  const sha256 = (await (copied ?? records).digestOf(fileset.id, { path, size, mtimeNs })) ?? archived.sha256
  if (sha256 !== archived.sha256) {
    const place = `${fileset.workspace}/${fileset.name}#${path}`
    onDamage(`${place} has the SHA-256 ${archived.sha256} instead of ${sha256}.`)
  }
  return { filesetId: fileset.id, path, size, mtimeNs, sha256 }
}
