import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { copyDatabase, openBackupRecords, openCopiedRecords, type BackupRecords } from "@assay/registry"
import { AssayError, formatTimestamp } from "@assay/schemas"
import { tokensFile } from "../../../../apps/server/src/maintenance/settings-places.ts"
import { databaseOf } from "../../../../apps/server/src/open-settings-registry.ts"
import type { ServerContext } from "../../../../apps/server/src/server-context.ts"
import { ENCRYPTION_KEYS_FILE, openEncryptionKeys } from "../../../../apps/server/src/settings/encryption-keys.ts"
import { readVersion } from "../../../../apps/server/src/version.ts"
import { archiveFilesets } from "./archive-filesets.ts"
import { archiveFile, type ArchivedFile } from "./backup-archive.ts"
import { DATABASE_PATH, HEADER_PATH, isBackupPath, KEYS_PATH, MANIFEST_PATH, SUMS_PATH, TOKENS_PATH, type BackupHeader, type BackupManifest } from "./backup-manifest.ts"
import type { BackupOutput } from "./backup-output.ts"
import { linkFilesets, type FilesSnapshot } from "./link-filesets.ts"
import { fileFailure, walkFiles } from "./local-files.ts"
import { describeNotIncluded, localStorageFolder } from "./not-included.ts"
import { openStaging, type Staging } from "./staging.ts"
import { openSums, type Sums } from "./sums.ts"
import { createTarWriter, type TarWriter } from "./tar/tar-writer.ts"

export interface BackupProgress {
  readonly files: number
  readonly bytes: number
  readonly totalFiles: number
  readonly totalBytes: number
}

export interface BackupOptions {
  readonly output: BackupOutput
  /** Whether the archive opens the secrets that are in it. */
  readonly withKeys: boolean
  readonly signal: AbortSignal
  readonly onProgress?: (progress: BackupProgress) => void
}

export interface BackupReport {
  readonly manifest: BackupManifest
  /** Parts of the server that are not in the archive, and how they are backed up. */
  readonly missing: readonly string[]
  /** What was found damaged. It is in the archive as it is. */
  readonly damage: readonly string[]
  /** Links and devices in filesets, which no archive holds. */
  readonly skipped: number
}

export type BackupContext = Pick<ServerContext, "settings" | "cwd" | "now" | "randomBytes">

/** More would not be read. */
const MAX_DAMAGE = 10_000

/**
 * Writes a backup of a server, which may run meanwhile: the database as of one moment, and the files that it has on record.
 * A file that is deleted or replaced while the files are gathered is taken as if that had happened before.
 * @throws `bad_settings`, `disk_full`, `local_file_failed`; then the output is as it was before
 */
export async function writeBackup(context: BackupContext, options: BackupOptions): Promise<BackupReport> {
  const { settings, cwd } = context
  const dataFolder = resolve(cwd, settings.ASSAY_DATA_DIR)
  if (!existsSync(dataFolder)) {
    throw new AssayError("bad_settings", `There is no data folder '${dataFolder}': set ASSAY_DATA_DIR or --data-dir.`)
  }
  try {
    using staging = openStaging(dataFolder, localStorageFolder(settings, dataFolder))
    return await write(context, options, dataFolder, staging)
  } catch (error) {
    await options.output.discard()
    throw fileFailure(error, "The backup")
  }
}

async function write(
  context: BackupContext,
  options: BackupOptions,
  dataFolder: string,
  staging: Staging,
): Promise<BackupReport> {
  const { settings } = context
  const database = databaseOf(settings, dataFolder)
  const copy = join(staging.folder, DATABASE_PATH)
  await using resources = new AsyncDisposableStack()
  const records = resources.adopt(await openBackupRecords(database), (opened) => opened.close())
  if (database.kind === "sqlite") await copyDatabase(database.file, copy)
  const copied = database.kind === "sqlite" ? await openCopiedRecords(copy, records) : undefined
  // Closed before its file is read; a second time does nothing.
  resources.defer(async () => copied?.close())
  const damage: string[] = (await (copied ?? records).check()).map((found) => `The database: ${found}`)
  const onDamage = (found: string) => void (damage.length < MAX_DAMAGE && damage.push(found))

  const archive = await openArchive(context, options, staging)
  const snapshot = await takeSnapshot(context, options, dataFolder, staging, copied ?? records)
  archive.begin(snapshot)
  const filesets = await archiveFilesets({ records, copied, root: snapshot.root, archive: archive.file, onDamage })
  const jobs = join(dataFolder, "evaluation", "jobs")
  for await (const path of walkFiles(jobs)) {
    if (isBackupPath(`evaluation/jobs/${path}`)) await archive.file(join(jobs, path), `evaluation/jobs/${path}`)
  }
  const tokens = (await archive.file(tokensFile(settings, context.cwd), TOKENS_PATH)) !== undefined
  const keys = options.withKeys && (await archiveKeys(context, dataFolder, archive))
  const secrets = await (copied ?? records).countSecrets()
  const { missing, elsewhere } = await describeNotIncluded(settings, copied ?? records)
  await copied?.finish()
  await copied?.close()
  if (copied !== undefined) await archive.file(copy, DATABASE_PATH)
  const not_included = [...missing, ...elsewhere]
  const manifest = await archive.end({ database: copied !== undefined, keys, tokens, secrets, filesets, not_included })
  return { manifest, missing, damage, skipped: snapshot.skipped }
}

async function takeSnapshot(
  { settings }: BackupContext,
  { signal }: BackupOptions,
  dataFolder: string,
  { links }: Staging,
  records: BackupRecords,
): Promise<FilesSnapshot> {
  const storageFolder = localStorageFolder(settings, dataFolder)
  if (storageFolder === undefined) return { root: dataFolder, files: 0, bytes: 0, skipped: 0 }
  return linkFilesets({ filesets: records.filesets(), storageFolder, links, signal })
}

async function archiveKeys({ settings, randomBytes }: BackupContext, dataFolder: string, archive: Archive) {
  const given = settings.ASSAY_ENCRYPTION_KEYS
  if (given.length === 0 && !existsSync(join(dataFolder, ENCRYPTION_KEYS_FILE))) return false
  const { keys } = openEncryptionKeys(given, dataFolder, randomBytes)
  const lines = keys.map(({ name, key }) => `${name}:${Buffer.from(key).toString("base64")}\n`)
  await archive.bytes(Buffer.from(lines.join("")), KEYS_PATH)
  return true
}

interface Archive {
  /** Tells how much there will be. */
  begin(totals: Pick<FilesSnapshot, "files" | "bytes">): void
  readonly file: (file: string, path: string) => Promise<ArchivedFile | undefined>
  bytes(bytes: Uint8Array, path: string): Promise<void>
  end(found: ManifestFacts): Promise<BackupManifest>
}

type ManifestFacts = Omit<BackupManifest, keyof BackupHeader | "files" | "bytes" | "sums_sha256">

async function openArchive({ now }: BackupContext, options: BackupOptions, staging: Staging): Promise<Archive> {
  const { output, signal, onProgress } = options
  const tar = createTarWriter((bytes) => output.write(bytes))
  const sumsFile = join(staging.folder, SUMS_PATH)
  const sums: Sums = openSums(sumsFile)
  const time = now()
  const header: BackupHeader = {
    format: "assay-backup",
    format_version: 1,
    created_at: formatTimestamp(time),
    version: readVersion(),
  }
  const done = { files: 0, bytes: 0 }
  let totals = { totalFiles: 0, totalBytes: 0 }
  const onBytes = (count: number) => {
    done.bytes += count
    onProgress?.({ ...done, ...totals })
  }
  await addBytes(tar, json(header), HEADER_PATH, time)
  return {
    begin: ({ files, bytes }) => {
      totals = { totalFiles: files, totalBytes: bytes }
    },
    file: async (file, path) => {
      signal.throwIfAborted()
      const archived = await archiveFile(tar, file, path, { onBytes, signal })
      if (archived === undefined) return undefined
      await sums.add(archived.sha256, path)
      done.files += 1
      return archived
    },
    async bytes(bytes, path) {
      await addBytes(tar, bytes, path, time)
      await sums.add(createHash("sha256").update(bytes).digest("hex"), path)
      done.files += 1
      done.bytes += bytes.byteLength
    },
    async end(facts) {
      const manifest = { ...header, ...facts, ...done, sums_sha256: await sums.end() }
      await archiveFile(tar, sumsFile, SUMS_PATH, { onBytes: () => {}, signal })
      await addBytes(tar, json(manifest), MANIFEST_PATH, time)
      await tar.end()
      await output.finish()
      return manifest
    },
  }
}

async function addBytes(tar: TarWriter, bytes: Uint8Array, path: string, time: number): Promise<void> {
  await tar.add({ path, size: bytes.byteLength, mtimeNs: BigInt(time) * 1_000_000n, mode: 0o600 }, [bytes])
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
