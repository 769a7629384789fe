import { loadAdapter } from "@assay/storage"
import { type BackgroundLog, type Database, NO_NOTICES, openDatabase } from "@assay/database"
import { freeAnalyses } from "./models/analysis-run.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Envelope } from "./secrets/envelope.ts"
import { checkKeysAtStart } from "./secrets/unreadable-secrets.ts"
import { checkDefaultStorage, checkDatabaseNotLost } from "@assay/filesets"
import { freeUploads } from "@assay/uploads"
import { makeBuiltInWorkspaces } from "./workspaces/create-workspaces.ts"

/** The source of encryption keys in messages, if the options name none. */
export const KEYS_SOURCE = "the encryption keys given"

/** Opens the database, and prepares it for this server. @throws `bad_settings`, `encryption_key_missing` */
export async function openPrepared(options: RegistryOptions, envelope: Envelope): Promise<Database> {
  const { guest = false, isMigrated = true, log = SILENT } = options
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  const onBroken = (error: Error) => log.warn({ err: error }, "A connection to the database broke")
  const onDeaf = (error: Error) => log.warn({ err: error }, NO_NOTICES)
  await loadAdapter(defaultStorage.type)
  if (!guest) await checkDatabaseNotLost(options.database, defaultStorage)
  const database = await openDatabase(options.database, onBroken, { guest, onDeaf, mayMigrate: () => isMigrated })
  try {
    if (!guest) await prepare(database, options, envelope)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

async function prepare(database: Database, options: RegistryOptions, envelope: Envelope): Promise<void> {
  const { now, newId, log = SILENT, encryptionKeysSource: source = KEYS_SOURCE } = options
  await checkKeysAtStart(database, envelope, { source, log })
  await makeBuiltInWorkspaces({ database, now, newId })
  // No other server can hold these leases, so do not wait for their end.
  if (options.database.kind === "sqlite") {
    await freeAnalyses({ database, now })
    await freeUploads(database)
  }
}

const SILENT: BackgroundLog = { warn: () => {} }
