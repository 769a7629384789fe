import { createAudit } from "./audit/create-audit.ts"
import { createCaches } from "./cache/create-caches.ts"
import { createWarmups } from "./cache/create-warmups.ts"
import { createChanges } from "./changes/create-changes.ts"
import { createCheckReady } from "./check-ready.ts"
import { checkClock, readDatabaseTime, watchClock, readConnectionLimit, checkNotices } from "@assay/database"
import { createDocuments } from "./documents/documents.ts"
import { createFiles } from "./files/create-files.ts"
import { createDigestIndexes } from "./files/digest-indexes.ts"
import { createOpenFileset } from "./files/open-fileset.ts"
import { createListings } from "./files/share-listings.ts"
import { sweepLocalFolders } from "./files/sweep-temporary-files.ts"
import { createFilesets } from "./filesets/create-filesets.ts"
import { createFindFileset, createLocateFileset } from "./filesets/fileset-row.ts"
import { createFilesetTrash } from "./filesets/removal/create-trash.ts"
import { settleTrash } from "./filesets/removal/remove-filesets.ts"
import { settleAllRestored } from "./filesets/removal/restore-fileset.ts"
import { watchRemovedRecords } from "./filesets/removal/removed-records.ts"
import { createHistory } from "./history/create-history.ts"
import { findChange } from "./history/find-change.ts"
import { createHistoryBounds } from "./history/keep-within.ts"
import { createKeptRecords, type HistoryLimits } from "./history/kept-records.ts"
import { createIntegrity } from "./integrity/create-integrity.ts"
import { createJobs } from "./jobs/create-jobs.ts"
import { createJobWatches } from "./jobs/job-watches.ts"
import { createModels } from "./models/create-models.ts"
import { createEndpointPaces } from "./paces/endpoint-paces.ts"
import { createProjects } from "./projects/create-projects.ts"
import type { RegistryContext } from "./registry-context.ts"
import { openPrepared, createContext, closeContext } from "./registry-lifecycle.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Registry } from "./registry.ts"
import { ALL_SECRETS } from "./secrets/secret-rights.ts"
import type { SecretRights } from "./secrets/secret-rights.ts"
import { createRevisions } from "./revisions/create-revisions.ts"
import { createSecrets } from "./secrets/create-secrets.ts"
import { createEnvelope, createKeyRing } from "./secrets/envelope.ts"
import { sweepKeySecrets } from "./secrets/sweep-key-secrets.ts"
import { createEndedSessions } from "./ended-sessions.ts"
import { createOpenDefaultStorage } from "./storages/open-storage.ts"
import { settleAtStart } from "./storages/storage-id.ts"
import { openUploads } from "./uploads/open-uploads.ts"
import { createPieceStorage } from "./uploads/pieces/piece-storage.ts"
import { createBudgets } from "./workspaces/create-month-budgets.ts"
import { createWebhookEvents } from "./jobs/webhook-events.ts"
import { createWorkspaces } from "./workspaces/create-workspaces.ts"

/**
 * Opens a registry. It creates a missing database, migrates it to the newest schema, and cleans up after a crash in the
 * background.
 * @throws `bad_settings`; `encryption_key_missing` if secrets are sealed with a key that is not given
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { guest = false } = options
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const database = await openPrepared(options, envelope)
  const context = createContext(options, database, envelope)
  const openDefaultStorage = createOpenDefaultStorage(context)
  if (!guest) {
    await settleAtStart({ ...context, openDefaultStorage }).catch(async (error: unknown) => {
      await closeContext(context)
      throw error
    })
    clearAway(context, options)
    watchRemovedRecords(context)
    watchClock(context)
  }
  const { openFileset, find, as, bounds, trash, relieve } = createFilesOperations(context, options)
  const watches = createJobWatches(database)
  const pieces = createPieceStorage({ ...context, openDefaultStorage, relieve })
  const audit = createAudit(context)
  const changes = createChanges(context)
  return {
    ...as(NO_OTHER_SECRETS),
    as,
    workspaces: createWorkspaces({ ...context, openDefaultStorage }),
    budgets: createBudgets(context),
    endpointPaces: createEndpointPaces(context),
    projects: createProjects(context),
    trash,
    secrets: createSecrets(context, envelope),
    models: createModels(context),
    guardrailConfigurations: createDocuments(context, "guardrail_configurations"),
    jobs: createJobs({ ...context, find, openFileset, openDefaultStorage }, watches),
    webhookEvents: createWebhookEvents(context),
    evaluationTargets: createDocuments(context, "evaluation_targets"),
    evaluationConfigurations: createDocuments(context, "evaluation_configurations"),
    evaluationBaselines: createDocuments(context, "evaluation_baselines"),
    openUploads: (lifetime) => openUploads({ ...context, pieces }, lifetime),
    checkReady: createCheckReady(context, guest),
    sharedDatabase: database.shared,
    audit,
    changes,
    endedSessions: createEndedSessions(context),
    integrity: createIntegrity({ ...context, openDefaultStorage, pieces }, envelope, openFileset),
    checkClock: () => checkClock(context),
    readConnectionLimit: () => readConnectionLimit(database),
    checkNotices: () => checkNotices(database.notices),
    sweepHistory: () => bounds.sweep(),
    close: () => closeContext(context, [watches, audit, changes]),
  }
}

/** Creates the operations on filesets, their files and revisions, for callers with rights to secrets. */
function createFilesOperations(context: RegistryContext, { history: limits = NO_HISTORY }: RegistryOptions) {
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
function clearAway(context: RegistryContext, { database: { kind } }: RegistryOptions): void {
  const { background, removedFolders, database } = context
  const opened = context.now()
  background.start("empty the trash of removed filesets", async (signal) =>
    settleTrash(context, (await removedFolders?.ids()) ?? [], signal),
  )
  background.start("settle restorations that did not end", (signal) => settleAllRestored(context, signal))
  background.start("remove the temporary files of writes", async (signal) => {
    const shared = () => database.read((queries) => readDatabaseTime(queries, context))
    await sweepLocalFolders(context, { olderThan: kind === "sqlite" ? opened : (await shared()) - HOUR, signal })
  })
  background.start("remove the secrets of removed jobs", (signal) => sweepKeySecrets(context, signal))
}
