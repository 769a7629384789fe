import { dirname, join } from "node:path"
import { createContentChecks, createSystemLocks, loadAdapter, type Damage } from "@assay/storage"
import { type BackgroundLog, createBackground, type Database, NO_NOTICES, openDatabase } from "@assay/database"
import { openReadCache } from "./cache/open-read-cache.ts"
import { freeWarmups } from "./cache/warmup-rows.ts"
import { createRemovals } from "./filesets/removal/removals.ts"
import { createRemovedRecords } from "./filesets/removal/removed-records.ts"
import { openRemovedFolders } from "./filesets/removal/removed-folders.ts"
import { freeJobs } from "./jobs/lost-jobs.ts"
import { freeAnalyses } from "./models/analysis-run.ts"
import type { RegistryContext } from "./registry-context.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Envelope } from "./secrets/envelope.ts"
import { createResolveSecret, createSecretVersions } from "./secrets/secret-access.ts"
import { checkKeysAtStart } from "./secrets/unreadable-secrets.ts"
import { checkDefaultStorage } from "./storages/storage-configuration.ts"
import { checkDatabaseNotLost } from "./storages/storage-id.ts"
import { freeUploads } from "./uploads/upload-lease.ts"
import { makeBuiltInWorkspaces } from "./workspaces/create-workspaces.ts"
import { createSteadyClock } from "./steady-clock.ts"

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
    await freeWarmups({ database, now })
    await freeAnalyses({ database, now })
    await freeJobs({ database, now })
    await freeUploads(database)
  }
}

/** Creates everything that the operations of a registry share. */
export function createContext(options: RegistryOptions, database: Database, envelope: Envelope): RegistryContext {
  const { now, elapsed = now, newId, log = SILENT, encryptionKeysSource = KEYS_SOURCE } = options
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  const root = defaultStorage.type === "local" ? defaultStorage.path : undefined
  const basis = {
    database,
    now,
    elapsed,
    steadyNow: createSteadyClock({ now, elapsed }),
    newId,
    log,
    encryptionKeysSource,
    background: createBackground(log),
    remote: createRemoteContext(options, database, envelope),
    secretVersions: createSecretVersions(database),
    defaultStorage,
    checkEndpoint: options.checkEndpoint ?? (() => {}),
    signatureChecks: options.signatureChecks,
    contentChecks: createContentChecks({ now: elapsed, onDamage: (damage) => logDamage(log, damage) }),
  }
  return {
    ...basis,
    readCache: options.readCache && openReadCache(basis, options.readCache),
    uploadsFolder: options.database.kind === "sqlite" ? join(dirname(options.database.file), "uploads") : undefined,
    removedFolders: root === undefined ? undefined : openRemovedFolders(root),
    trashMs: options.trashMs ?? 0,
    removals: createRemovals(basis),
    removedRecords: createRemovedRecords(basis),
    localRoots: {
      allowed: options.allowedLocalRoots,
      reserved: [...(options.reservedFolders ?? []), ...(root === undefined ? [] : [root])],
    },
    isShared: options.database.kind === "postgres",
    // Outside the folders of filesets, so that the locks stay when a fileset is removed.
    systemLocks: root === undefined ? undefined : createSystemLocks(`${root}/.locks`),
    checkStorageMs: options.checkStorageMs ?? 30_000,
  }
}

/** Creates the context that all filesets share: facts that one of them finds about a bucket are true for the others. */
function createRemoteContext(
  { transport, now, elapsed = now, random, sleep, backendDeadlineMs }: RegistryOptions,
  database: Database,
  envelope: Envelope,
): RegistryContext["remote"] {
  const resolveSecret = createResolveSecret(database, envelope)
  const deadline = backendDeadlineMs === undefined ? {} : { deadlineMs: backendDeadlineMs }
  return { transport, now, elapsed, random, sleep, resolveSecret, knownConditions: new Map(), ...deadline }
}

/**
 * Ends the work of a registry, and closes its database last: work in the background would fail without it, and log that.
 * @param others are closed together with the background
 */
export async function closeContext(
  { background, readCache, contentChecks, systemLocks, database }: RegistryContext,
  others: readonly { close(): Promise<void> }[] = [],
): Promise<void> {
  await Promise.all([background.end(), readCache?.close(), ...others.map((other) => other.close())])
  systemLocks?.close()
  await contentChecks.close()
  await database.close()
}

const KEYS_SOURCE = "the encryption keys given"

function logDamage(log: BackgroundLog, { root, path, expected, found }: Damage): void {
  const message = "The bytes of a file are not those that were written"
  const where = { folder: root, path, expected_sha256: expected, found_sha256: found }
  if (log.error === undefined) log.warn(where, message)
  else log.error(where, message)
}

const SILENT: BackgroundLog = { warn: () => {} }
