import { join } from "node:path"
import type { BackedUpFile, BackupFileset, BackupRecords, CopiedRecords } from "@assay/registry"
import type { ArchivedFile } from "./backup-archive.ts"
import { filesetFolder } from "./link-filesets.ts"
import { walkFiles } from "./local-files.ts"

/** Files that are noted in one transaction. */
const BATCH = 1000

export interface ArchiveFilesetsOptions {
  readonly records: BackupRecords
  /** The records that go into the archive; undefined where those are backed up apart. */
  readonly copied: CopiedRecords | undefined
  /** Where the files are. */
  readonly root: string
  readonly archive: (file: string, path: string) => Promise<ArchivedFile | undefined>
  readonly onDamage: (damage: string) => void
}

/**
 * Adds the files of all filesets. A file keeps the digest that is on record for it: where its bytes have another one, that
 * is told now and found again after it was restored. Returns how many filesets there are.
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

/** Undefined for a file that is gone. One without a digest on record keeps the one that its bytes in the archive have. */
async function archiveOne(
  { records, copied, root, archive, onDamage }: ArchiveFilesetsOptions,
  fileset: BackupFileset,
  path: string,
): Promise<BackedUpFile | undefined> {
  const below = filesetFolder(fileset)
  const archived = await archive(join(root, below, path), `storage/${below}/${path}`)
  if (archived === undefined) return undefined
  const { size, mtimeNs } = archived
  // A file that was replaced since it was linked has lost its digest.
  const sha256 = (await (copied ?? records).digestOf(fileset.id, { path, size, mtimeNs })) ?? archived.sha256
  if (sha256 !== archived.sha256) {
    const place = `${fileset.workspace}/${fileset.name}#${path}`
    onDamage(`${place} has the SHA-256 ${archived.sha256} instead of ${sha256}.`)
  }
  return { filesetId: fileset.id, path, size, mtimeNs, sha256 }
}
