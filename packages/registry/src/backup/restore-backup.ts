import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { restampRecords, openBackupRecords } from "@assay/registry"
import { AssayError, formatTimestamp, isAssayError } from "@assay/schemas"
import { openDataFolder, RESTORING_FOLDER } from "../data-folder/data-folder.ts"
import { DATABASE_PATH, KEYS_PATH, TOKENS_PATH, type BackupManifest } from "./backup-manifest.ts"
import { filesetFolder } from "./link-filesets.ts"
import { fileFailure, lookAt } from "./local-files.ts"
import { unpackBackup } from "./unpack-backup.ts"

export interface RestoreOptions {
  readonly dataFolder: string
  /** Whether what is in the data folder is put aside; else it has to be empty. */
  readonly force: boolean
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly files: number; readonly bytes: number }) => void
}

export interface RestoreReport {
  readonly manifest: BackupManifest
  /** Where what was in the data folder before is now; undefined where it was empty. */
  readonly before: string | undefined
  /** What is wrong with the restored database, a sentence each. */
  readonly damage: readonly string[]
}

/** What a server makes in its data folder. */
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
/** What holds nothing. */
const LOCKS = /^(server|backup)\.lock(-journal|-wal|-shm)?$/

/**
 * Unpacks a backup into a data folder that no server uses. Everything is unpacked aside and checked before anything is
 * moved to its place, the database last.
 * @throws `bad_backup`, `bad_settings`, `disk_full`; then the data folder holds what it held before.
 * `local_file_failed` where it can't be read or moved
 */
export async function restoreBackup(
  archive: AsyncIterable<Uint8Array>,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { dataFolder, force } = options
  if (!force) await checkEmpty(dataFolder)
  using _lock = openDataFolder(dataFolder, { restoring: true })
  const aside = join(dataFolder, RESTORING_FOLDER)
  const { manifest, damage } = await unpack(archive, aside, options).catch(async (error: unknown) => {
    await rm(aside, { recursive: true, force: true })
    throw fileFailure(error, "The restore")
  })
  try {
    const before = await putAside(dataFolder, manifest, options.now())
    await moveIntoPlace(aside, dataFolder)
    return { manifest, before, damage }
  } catch (error) {
    // What was unpacked stays: as long as it is there, no server starts on half of it.
    throw fileFailure(error, `The restore into '${dataFolder}', which has to be done again with --force,`)
  }
}

async function unpack(archive: AsyncIterable<Uint8Array>, aside: string, options: RestoreOptions) {
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { mode: 0o700 })
  const manifest = await unpackBackup(archive, aside, options)
  return { manifest, damage: manifest.database ? await settleDatabase(aside) : [] }
}

/** The database last: without it the rest is taken for nobody's. */
async function moveIntoPlace(aside: string, dataFolder: string): Promise<void> {
  const names = await readdir(aside)
  for (const name of names.toSorted((a, b) => Number(a === DATABASE_PATH) - Number(b === DATABASE_PATH))) {
    await rename(join(aside, name), join(dataFolder, name))
  }
  await rm(aside, { recursive: true })
}

async function checkEmpty(dataFolder: string): Promise<void> {
  const names = existsSync(dataFolder) ? await readdir(dataFolder) : []
  const held = names.filter((name) => !LOCKS.test(name) && name !== RESTORING_FOLDER)
  if (held.length === 0) return
  const message = `The folder '${dataFolder}' is not empty: restore into another one with --data-dir, or add --force, which keeps what is there in a folder beside it.`
  throw new AssayError("bad_usage", message)
}

/** Brings the records to the times that the files have now, and reads the whole database. */
async function settleDatabase(folder: string): Promise<readonly string[]> {
  const file = join(folder, DATABASE_PATH)
  try {
    await restampRecords(file, (fileset, path) => lookAt(join(folder, "storage", filesetFolder(fileset), path)))
    const records = await openBackupRecords({ kind: "sqlite", file })
    try {
      return await records.check()
    } finally {
      await records.close()
    }
  } catch (error) {
    if (!isAssayError(error, "bad_settings")) throw error
    throw new AssayError("bad_backup", `The database in the backup can't be used: ${error.message}`, { cause: error })
  }
}

/** Moves what the backup replaces into a folder of its own. */
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
  return before
}
