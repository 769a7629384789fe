import type { DatabaseOptions } from "@assay/database"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { AssayError } from "@assay/schemas"
import { type BackupRecords, copyDatabase, openBackupRecords, openCopiedRecords } from "./backup-records.ts"
import type { EncryptionKey } from "@assay/registry"
import { STORAGE_ID_PATH } from "@assay/filesets"
import { openBackupArchive, type BackupArchive } from "./backup-archive.ts"
import { archiveFilesets, linkFilesets, type FilesSnapshot } from "./backup-filesets.ts"
import {
  DATABASE_PATH,
  isBackupPath,
  KEYS_PATH,
  STORAGE_ID_ENTRY,
  TOKENS_PATH,
  type BackupManifest,
  type FilesetFiles,
} from "./backup-manifest.ts"
import type { BackupOutput } from "./backup-output.ts"
import { fileFailure, walkFiles } from "./local-files.ts"
import { openStaging, type Staging } from "./staging.ts"

/** The server that is backed up. It may be running. */
export interface BackupSource {
  readonly dataFolder: string
  readonly database: DatabaseOptions
  /** The folder of the default storage. Undefined: the default storage is an object store. */
  readonly storageFolder: string | undefined
  /** The file of hashed tokens. It may be missing. */
  readonly tokensFile: string
  /** Returns the encryption keys, newest first, or undefined if the server has none yet. Called only for `withKeys`. */
  readonly encryptionKeys: () => readonly EncryptionKey[] | undefined
  /** The version of Assay that writes the backup. */
  readonly version: string
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

interface BackupProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

export interface BackupOptions {
  readonly output: BackupOutput
  /** Whether the archive also holds the encryption keys. With them, it opens the secrets in it. */
  readonly withKeys: boolean
  readonly signal: AbortSignal
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
}

export interface BackupReport {
  readonly manifest: BackupManifest
  readonly filesets: FilesetFiles
  /** Parts of the server that are not in the archive, and how to back them up. */
  readonly missing: readonly string[]
  /** Damage that was found. The damaged files are in the archive as they are. */
  readonly damage: readonly string[]
  /** Number of links and devices in filesets. An archive holds none. */
  readonly skipped: number
}

/** Longer lists are not useful. */
const MAX_DAMAGE = 10_000

/**
 * Writes a backup of a server, which may be running: the database as of one moment, and the files that it records. A file
 * that is deleted or replaced while the files are collected counts as deleted or replaced before the backup.
 * @throws `bad_settings`, `disk_full`, `local_file_failed`; the output is then as it was before
 */
export async function writeBackup(source: BackupSource, options: BackupOptions): Promise<BackupReport> {
  const { dataFolder, storageFolder } = source
  if (!existsSync(dataFolder)) {
    throw new AssayError("bad_settings", `There is no data folder '${dataFolder}': set ASSAY_DATA_DIR or --data-dir.`)
  }
  try {
    using staging = openStaging(dataFolder, storageFolder)
    return await write(source, options, staging)
  } catch (error) {
    await options.output.discard().catch(() => {})
    throw fileFailure(error, "The backup")
  }
}

async function write(source: BackupSource, options: BackupOptions, staging: Staging): Promise<BackupReport> {
  const { dataFolder, storageFolder, database, tokensFile } = source
  const copy = join(staging.folder, DATABASE_PATH)
  await using resources = new AsyncDisposableStack()
  // A reader that can't be closed says nothing about the archive.
  const records = resources.adopt(await openBackupRecords(database), (opened) => opened.close().catch(() => {}))
  if (database.kind === "sqlite") await copyDatabase(database.file, copy)
  const copied = database.kind === "sqlite" ? await openCopiedRecords(copy, records) : undefined
  // It is also closed before its file is read. A second close does nothing.
  resources.defer(async () => copied?.close().catch(() => {}))
  const damage: string[] = (await (copied ?? records).check()).map((found) => `The database: ${found}`)
  const onDamage = (found: string) => void (damage.length < MAX_DAMAGE && damage.push(found))

  const archive = await openBackupArchive({ ...source, ...options, folder: staging.folder })
  const snapshot = await takeSnapshot(source, options, staging, copied ?? records)
  archive.begin(snapshot)
  const archived = await archiveFilesets({ records, copied, root: snapshot.root, archive: archive.file, onDamage })
  const { filesets, ...counts } = archived
  if (storageFolder !== undefined) await archive.file(join(storageFolder, STORAGE_ID_PATH), STORAGE_ID_ENTRY)
  const jobs = join(dataFolder, "evaluation", "jobs")
  for await (const path of walkFiles(jobs)) {
    if (isBackupPath(`evaluation/jobs/${path}`)) await archive.file(join(jobs, path), `evaluation/jobs/${path}`)
  }
  const tokens = (await archive.file(tokensFile, TOKENS_PATH)) !== undefined
  const keys = options.withKeys && (await archiveKeys(source.encryptionKeys(), archive))
  const secrets = await (copied ?? records).countSecrets()
  const { missing, elsewhere } = await describeNotIncluded(source, copied ?? records)
  await copied?.finish(source.now())
  await copied?.close()
  if (copied !== undefined) await archive.file(copy, DATABASE_PATH)
  const not_included = [...missing, ...elsewhere]
  const manifest = await archive.end({ database: copied !== undefined, keys, tokens, secrets, filesets, not_included })
  return { manifest, filesets: counts, missing, damage, skipped: snapshot.skipped }
}

async function takeSnapshot(
  { dataFolder, storageFolder }: BackupSource,
  { signal }: BackupOptions,
  { links }: Staging,
  records: BackupRecords,
): Promise<FilesSnapshot> {
  if (storageFolder === undefined) return { root: dataFolder, files: 0, bytes: 0, skipped: 0 }
  return linkFilesets({ filesets: records.filesets(), storageFolder, links, signal })
}

/** Returns whether there are keys. */
async function archiveKeys(keys: readonly EncryptionKey[] | undefined, archive: BackupArchive): Promise<boolean> {
  if (keys === undefined) return false
  const lines = keys.map(({ name, key }) => `${name}:${Buffer.from(key).toString("base64")}\n`)
  await archive.bytes(Buffer.from(lines.join("")), KEYS_PATH)
  return true
}

interface NotIncluded {
  /** Parts of the server itself. It can't be restored without them. */
  readonly missing: readonly string[]
  /** Files that users keep on storage of their own. */
  readonly elsewhere: readonly string[]
}

/** Describes what a backup can't hold, and how to back it up instead. */
export async function describeNotIncluded(
  { database, storageFolder }: Pick<BackupSource, "database" | "storageFolder">,
  records: Pick<BackupRecords, "countElsewhere">,
): Promise<NotIncluded> {
  const missing: string[] = []
  if (database.kind === "postgres") {
    missing.push("The database is PostgreSQL: back it up with pg_dump, right before this command.")
  }
  const isObjectStore = storageFolder === undefined
  if (isObjectStore) {
    missing.push("The default storage is an object store: turn on the versioning or replication of its bucket.")
  }
  const elsewhere = (await records.countElsewhere())
    .filter(({ storage_type }) => !(isObjectStore && storage_type === "objstore"))
    .map(({ storage_type, filesets }) => {
      const count = `${filesets} fileset${filesets === 1 ? "" : "s"}`
      return `The files of ${count} on storage of the type ${storage_type}: their records are in the backup, their files stay where they are.`
    })
  return { missing, elsewhere }
}
