import type { Storage } from "@assay/storage"
import { readDatabaseTime, watchClock } from "@assay/database"
import type { Caches } from "./cache/caches.ts"
import { createCaches } from "./cache/create-caches.ts"
import { createWarmups } from "./cache/create-warmups.ts"
import { freeWarmups } from "./cache/warmup-rows.ts"
import { createCheckReady } from "./check-ready.ts"
import { closeContext, createContext } from "./create-context.ts"
import { createFiles } from "./files/create-files.ts"
import { createDigestIndexes } from "./files/digest-indexes.ts"
import type { Files } from "./files/files.ts"
import { createOpenFileset } from "./files/open-fileset.ts"
import { createListings } from "./files/share-listings.ts"
import { stageResults, type StageResults } from "./files/staged-results.ts"
import { sweepLocalFolders } from "./files/sweep-temporary-files.ts"
import { createFilesets } from "./filesets/create-filesets.ts"
import { createFindFileset, createLocateFileset } from "./filesets/fileset-row.ts"
import type { Filesets } from "./filesets/filesets.ts"
import { createFilesetRemoval, type FilesetRemoval } from "./filesets/removal/fileset-removal.ts"
import { createFilesetTrash } from "./filesets/removal/create-trash.ts"
import { settleTrash } from "./filesets/removal/remove-filesets.ts"
import { watchRemovedRecords } from "./filesets/removal/removed-records.ts"
import { settleAllRestored } from "./filesets/removal/restore-fileset.ts"
import type { FilesetTrash } from "./filesets/removal/trash.ts"
import type { FilesetsContext } from "./filesets-context.ts"
import type { FilesetsOptions, FilesetsPorts } from "./filesets-options.ts"
import { createHistory } from "./history/create-history.ts"
import { findChange } from "./history/find-change.ts"
import type { History } from "./history/history.ts"
import { createHistoryBounds } from "./history/keep-within.ts"
import { createKeptRecords, type HistoryLimits } from "./history/kept-records.ts"
import { createIntegrity } from "./integrity/create-integrity.ts"
import type { Integrity } from "./integrity/integrity.ts"
import { createRevisions } from "./revisions/create-revisions.ts"
import type { Revisions } from "./revisions/revisions.ts"
import { createOpenDefaultStorage } from "./storages/open-storage.ts"
import { ALL_SECRETS, type SecretRights } from "./storages/secret-rights.ts"
import { settleAtStart } from "./storages/storage-id.ts"

/** Filesets with their files, for a caller with certain rights to secrets. */
export interface CallerFilesets {
  readonly filesets: Filesets
  readonly files: Files
  readonly caches: Caches
  readonly revisions: Revisions
  readonly history: History
}

/** All filesets of one database. Without `as`, they use only secrets of the fileset's own workspace. */
export interface FilesetStore extends CallerFilesets {
  readonly context: FilesetsContext
  /** Returns the filesets for a caller with these rights: `registry.as(rights).files.read(…)`. The history and the trash record `author`. Cheap: call it for each request. */
  readonly as: (rights: SecretRights, author?: string) => CallerFilesets
  readonly trash: FilesetTrash
  readonly removal: FilesetRemoval
  readonly stageResults: StageResults
  readonly openDefaultStorage: () => Promise<Storage>
  /** Frees space on a full disk. Returns false if nothing was freed. */
  readonly relieve: () => Promise<boolean>
  /** Removes kept bytes that have expired, and bytes without a record. */
  readonly sweepHistory: () => Promise<void>
  /** Checks that the database responds and the default storage is writable. @throws the error of the part that fails */
  readonly checkReady: () => Promise<void>
  readonly integrity: Integrity
  /** Ends the work in the background. The database stays open. */
  close(): Promise<void>
}

/**
 * Opens the filesets of a database, and cleans up after a crash in the background.
 * @throws `bad_settings` if the database and the default storage do not belong together
 */
export async function openFilesets(options: FilesetsOptions, ports: FilesetsPorts): Promise<FilesetStore> {
  const { guest = false } = options
  // No other server can hold these leases, so do not wait for their end.
  if (!guest && !ports.isShared) await freeWarmups({ database: ports.database, now: options.now })
  const context = createContext(options, ports)
  const openDefaultStorage = createOpenDefaultStorage(context)
  if (!guest) {
    await settleAtStart({ ...context, openDefaultStorage }).catch(async (error: unknown) => {
      await closeContext(context)
      throw error
    })
    clearAway(context)
    watchRemovedRecords(context)
    watchClock(context)
  }
  const { openFileset, find, as, bounds, trash, relieve } = createFilesOperations(context, options)
  return {
    ...as(NO_OTHER_SECRETS),
    context,
    as,
    trash,
    removal: createFilesetRemoval(context),
    stageResults: (staging) => stageResults({ ...context, find, openFileset }, staging),
    openDefaultStorage,
    relieve,
    sweepHistory: () => bounds.sweep(),
    checkReady: createCheckReady(context, guest),
    integrity: createIntegrity({ ...context, openDefaultStorage }, openFileset),
    close: () => closeContext(context),
  }
}

/** Creates the operations on filesets, their files and revisions, for callers with rights to secrets. */
function createFilesOperations(context: FilesetsContext, { history: limits = NO_HISTORY }: FilesetsOptions) {
  const find = createFindFileset(context)
  const locate = createLocateFileset(context)
  const records = createKeptRecords(context, limits, (id) => bounds.trim(id))
  const openFileset = createOpenFileset(context, createDigestIndexes(context.database), {
    historyOf: limits.days > 0 && limits.maxBytes > 0 ? records.of : undefined,
    relieve: () => relieve(),
  })
  const { trash, relieve: relieveTrash } = createFilesetTrash(context)
  // A full disk empties the trash first: users miss removed filesets less than former versions of files.
  const relieve = async () => (await relieveTrash()) || bounds.relieve()
  const bounds = createHistoryBounds({ ...context, open: (row) => openFileset(row, ALL_SECRETS) }, limits)
  const { open, revisionsFor, stored } = createRevisions(context, find, openFileset, async (fileset, id) => {
    await records.flush()
    // A commit that was squashed is not known to clients of the hub any more.
    return findChange(context, fileset, { id })
  })
  const warmups = context.readCache && createWarmups(context, context.readCache, openFileset)
  const filesetsFor = createFilesets(context, find, warmups)
  const listings = createListings()
  const as = (rights: SecretRights, author?: string) => {
    const options = { find, locate, open, rights, listings, author }
    const files = createFiles(context, options)
    return {
      filesets: filesetsFor(rights, author),
      files,
      caches: createCaches(context, { find, open, rights, warmups }),
      revisions: revisionsFor(rights),
      history: createHistory(context, { records, bounds, stored, days: limits.days }, { ...options, files }),
    }
  }
  return { find, openFileset, as, bounds, trash, relieve }
}

const NO_HISTORY: HistoryLimits = { days: 0, maxBytes: 0 }

const NO_OTHER_SECRETS: SecretRights = () => false

const HOUR = 3_600_000

/** Cleans up after a crash. If servers share the database, files of the last hour may be in use by another server. */
function clearAway(context: FilesetsContext): void {
  const { background, removedFolders, database, isShared } = context
  const opened = context.now()
  background.start("empty the trash of removed filesets", async (signal) =>
    settleTrash(context, (await removedFolders?.ids()) ?? [], signal),
  )
  background.start("settle restorations that did not end", (signal) => settleAllRestored(context, signal))
  background.start("remove the temporary files of writes", async (signal) => {
    const shared = () => database.read((queries) => readDatabaseTime(queries, context))
    await sweepLocalFolders(context, { olderThan: isShared ? (await shared()) - HOUR : opened, signal })
  })
}
