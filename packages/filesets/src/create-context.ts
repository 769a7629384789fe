import { createContentChecks, createSystemLocks, type Damage } from "@assay/storage"
import { type BackgroundLog, createBackground } from "@assay/database"
import { openReadCache } from "./cache/open-read-cache.ts"
import { createRemovals } from "./filesets/removal/removals.ts"
import { openRemovedFolders } from "./filesets/removal/removed-folders.ts"
import { createRemovedRecords } from "./filesets/removal/removed-records.ts"
import type { FilesetsContext } from "./filesets-context.ts"
import type { FilesetsOptions, FilesetsPorts } from "./filesets-options.ts"
import { createSteadyClock } from "./steady-clock.ts"
import { checkDefaultStorage } from "./storages/storage-configuration.ts"

/** Creates everything that the operations on filesets share. */
export function createContext(
  options: FilesetsOptions,
  { database, isShared, secretVersions, resolveSecret }: FilesetsPorts,
): FilesetsContext {
  const { now, elapsed = now, newId, log = SILENT } = options
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  const root = defaultStorage.type === "local" ? defaultStorage.path : undefined
  const basis = {
    database,
    now,
    elapsed,
    steadyNow: createSteadyClock({ now, elapsed }),
    newId,
    log,
    background: createBackground(log),
    remote: createRemoteContext(options, resolveSecret),
    secretVersions,
    defaultStorage,
    checkEndpoint: options.checkEndpoint ?? (() => {}),
    signatureChecks: options.signatureChecks,
    contentChecks: createContentChecks({ now: elapsed, onDamage: (damage) => logDamage(log, damage) }),
  }
  return {
    ...basis,
    readCache: options.readCache && openReadCache(basis, options.readCache),
    removedFolders: root === undefined ? undefined : openRemovedFolders(root),
    trashMs: options.trashMs ?? 0,
    removals: createRemovals(basis),
    removedRecords: createRemovedRecords(basis),
    localRoots: {
      allowed: options.allowedLocalRoots,
      reserved: [...(options.reservedFolders ?? []), ...(root === undefined ? [] : [root])],
    },
    isShared,
    // Outside the folders of filesets, so that the locks stay when a fileset is removed.
    systemLocks: root === undefined ? undefined : createSystemLocks(`${root}/.locks`),
    checkStorageMs: options.checkStorageMs ?? 30_000,
  }
}

/** Creates the context that all filesets share: facts that one of them finds about a bucket are true for the others. */
function createRemoteContext(
  { transport, now, elapsed = now, random, sleep, backendDeadlineMs }: FilesetsOptions,
  resolveSecret: FilesetsPorts["resolveSecret"],
): FilesetsContext["remote"] {
  const deadline = backendDeadlineMs === undefined ? {} : { deadlineMs: backendDeadlineMs }
  return { transport, now, elapsed, random, sleep, resolveSecret, knownConditions: new Map(), ...deadline }
}

/** Ends the work in the background. The database stays open. */
export async function closeContext({
  background,
  readCache,
  contentChecks,
  systemLocks,
}: FilesetsContext): Promise<void> {
  await Promise.all([background.end(), readCache?.close()])
  systemLocks?.close()
  await contentChecks.close()
}

function logDamage(log: BackgroundLog, { root, path, expected, found }: Damage): void {
  const message = "The bytes of a file are not those that were written"
  const where = { folder: root, path, expected_sha256: expected, found_sha256: found }
  if (log.error === undefined) log.warn(where, message)
  else log.error(where, message)
}

const SILENT: BackgroundLog = { warn: () => {} }
