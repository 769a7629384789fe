import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { AssayError, formatTimestamp, isAssayError } from "@assay/schemas"
import { syncFolder } from "@assay/storage"
import { openDataFolder, RESTORING_FOLDER } from "./data-folder/data-folder.ts"
import { filesetFolder } from "./backup-filesets.ts"
import { DATABASE_PATH, KEYS_PATH, TOKENS_PATH, type BackupManifest, type FilesetFiles } from "./backup-manifest.ts"
import { openBackupRecords, restampRecords } from "./backup-records.ts"
import { fileFailure, statFile } from "./local-files.ts"
import { syncTree } from "./sync-tree.ts"
import { unpackBackup, type UnpackOptions } from "./unpack-backup.ts"

export interface RestoreOptions extends UnpackOptions {
  readonly dataFolder: string
  /** Whether to move existing contents of the data folder aside. Otherwise the data folder must be empty. */
  readonly force: boolean
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
}

export interface RestoreReport {
  readonly manifest: BackupManifest
  readonly filesets: FilesetFiles
  /** The folder with the earlier contents of the data folder. Undefined if it was empty. */
  readonly before: string | undefined
  /** Sentences about damage in the restored database. */
  readonly damage: readonly string[]
}

/** The files and folders that a server creates in its data folder. */
const OWN_FILES = [
  "registry.db",
  "registry.db-wal",
  "registry.db-shm",
  "storage",
  "evaluation",
  "uploads",
  "objects",
  "rows",
  "cache",
]
/** Lock files. They hold no data. */
const LOCKS = /^(server|backup)\.lock(-journal|-wal|-shm)?$/

/**
 * Restores a backup into a data folder that no server uses. It unpacks and checks everything in a temporary folder, then
 * moves it into place, the database last. A power failure can't undo a restore that has returned, and no server starts on
 * one that a power failure cut short.
 * @throws `bad_backup`, `bad_settings`, `disk_full`; the data folder is then unchanged. `local_file_failed` if a file can't
 * be read or moved
 */
export async function restoreBackup(
  archive: AsyncIterable<Uint8Array>,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { dataFolder, force } = options
  if (!force) await checkEmpty(dataFolder)
  using _lock = openDataFolder(dataFolder, { restoring: true })
  const aside = join(dataFolder, RESTORING_FOLDER)
  const { manifest, filesets, damage } = await unpack(archive, aside, options).catch(async (error: unknown) => {
    // A folder that stays keeps servers from starting, and the next restore removes it.
    await rm(aside, { recursive: true, force: true }).catch(() => {})
    throw fileFailure(error, "The restore")
  })
  try {
    const before = await putAside(dataFolder, manifest, options.now())
    await moveIntoPlace(aside, dataFolder)
    return { manifest, filesets, before, damage }
  } catch (error) {
    // The temporary folder stays. As long as it exists, no server starts on half a restore.
    throw fileFailure(error, `The restore into '${dataFolder}', which has to be done again with --force,`)
  }
}

async function unpack(archive: AsyncIterable<Uint8Array>, aside: string, options: RestoreOptions) {
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  const { manifest, filesets } = await unpackBackup(archive, aside, options)
  const damage = manifest.database ? await settleDatabase(aside) : []
  await syncTree(aside, options.signal)
  // From here on, this folder keeps servers from starting, so its name must be on the disk before anything moves.
  await syncFolder(options.dataFolder)
  return { manifest, filesets, damage }
}

/**
 * Moves the database last: a data folder without a database counts as empty. The temporary folder disappears only after all
 * new names are on the disk.
 */
async function moveIntoPlace(aside: string, dataFolder: string): Promise<void> {
  const names = await readdir(aside)
  for (const name of names.toSorted((a, b) => Number(a === DATABASE_PATH) - Number(b === DATABASE_PATH))) {
    await rename(join(aside, name), join(dataFolder, name))
  }
  await syncFolder(dataFolder)
  await rm(aside, { recursive: true })
  // All is restored. If the folder comes back after a power failure, a server names it and how to go on.
  await syncFolder(dataFolder).catch(() => {})
}

async function checkEmpty(dataFolder: string): Promise<void> {
  const names = existsSync(dataFolder) ? await readdir(dataFolder) : []
  const held = names.filter((name) => !LOCKS.test(name) && name !== RESTORING_FOLDER)
  if (held.length === 0) return
  const message = `The folder '${dataFolder}' is not empty: restore into another one with --data-dir, or add --force, which keeps its content in a folder next to it.`
  throw new AssayError("bad_usage", message)
}

/** Updates the records to the modification times of the restored files, and checks the whole database. */
async function settleDatabase(folder: string): Promise<readonly string[]> {
  const file = join(folder, DATABASE_PATH)
  try {
    await restampRecords(file, (fileset, path) => statFile(join(folder, "storage", filesetFolder(fileset), path)))
    const records = await openBackupRecords({ kind: "sqlite", file })
    try {
      return await records.check()
    } finally {
      await records.close()
    }
  } catch (error) {
    // The system, not the backup, is to blame for a folder that can't be written.
    if (!isAssayError(error, "bad_settings") || error.context["system_code"] !== undefined) throw error
    throw new AssayError("bad_backup", `The database in the backup can't be used: ${error.message}`, { cause: error })
  }
}

/** Moves the contents that the backup replaces into a folder of their own. Returns that folder. */
async function putAside(dataFolder: string, manifest: BackupManifest, now: number): Promise<string | undefined> {
  const replaced = [
    ...OWN_FILES,
    ...(manifest.keys ? [KEYS_PATH] : []),
    ...(manifest.tokens ? [TOKENS_PATH] : []),
  ].filter((name) => existsSync(join(dataFolder, name)))
  if (replaced.length === 0) return undefined
  const before = join(dataFolder, `before-restore-${formatTimestamp(now).replaceAll(":", "-")}`)
  await mkdir(before, { mode: 0o700 })
  for (const name of replaced) await rename(join(dataFolder, name), join(before, name))
  await syncFolder(before)
  return before
}
