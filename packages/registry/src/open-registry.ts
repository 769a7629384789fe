import { join, dirname } from "node:path"
import { sweepTemporaryFiles } from "@assay/storage"
import { checkClock, type Database, checkNotices, readConnectionLimit } from "@assay/database"
import { createAudit } from "./audit/create-audit.ts"
import { createChanges } from "./changes/create-changes.ts"
import { createDocuments } from "./documents/documents.ts"
import { createEndedSessions } from "./ended-sessions.ts"
import { createModels } from "./models/create-models.ts"
import { type JobStore, openJobStore } from "@assay/job-store"
import { openFilesets, type FilesetStore } from "@assay/filesets"
import { createEndpointPaces } from "./paces/endpoint-paces.ts"
import { KEYS_SOURCE, openPrepared } from "./prepare-database.ts"
import { createProjects } from "./projects/create-projects.ts"
import type { RegistryContext } from "./registry-context.ts"
import { createResultsFilesets } from "./results-of-jobs.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Registry } from "./registry.ts"
import { createSecrets } from "./secrets/create-secrets.ts"
import { createEnvelope, createKeyRing, type Envelope } from "./secrets/envelope.ts"
import { createResolveSecret, createSecretVersions } from "./secrets/secret-access.ts"
import { sweepKeySecrets } from "./secrets/sweep-key-secrets.ts"
import { checkSecretsReadable } from "./secrets/unreadable-secrets.ts"
import { openUploads, checkPieces, createPieceStorage } from "@assay/uploads"
import { createBudgets } from "./workspaces/create-month-budgets.ts"
import { createWorkspaces } from "./workspaces/create-workspaces.ts"

/**
 * Opens a registry. It creates a missing database, migrates it to the newest schema, and cleans up after a crash in the
 * background.
 * @throws `bad_settings`; `encryption_key_missing` if secrets are sealed with a key that is not given
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { guest = false, encryptionKeysSource = KEYS_SOURCE } = options
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const database = await openPrepared(options, envelope)
  const store = await openStore(options, database, envelope)
  const context: RegistryContext = { ...store.context, encryptionKeysSource }
  const jobStore = openJobStore({ ...store, ...context, results: createResultsFilesets(store) })
  const registry = createParts(options, { store, jobStore, context, envelope })
  if (guest) return registry
  try {
    // No other server can hold these leases, so do not wait for their end.
    if (options.database.kind === "sqlite") await jobStore.freeLeases()
  } catch (error) {
    await registry.close()
    throw error
  }
  clearAway(context, uploadsFolderOf(options))
  return registry
}

/** Opens the filesets. If they can't be opened, the database is closed. */
async function openStore(options: RegistryOptions, database: Database, envelope: Envelope): Promise<FilesetStore> {
  try {
    return await openFilesets(options, {
      database,
      isShared: options.database.kind === "postgres",
      resolveSecret: createResolveSecret(database, envelope),
      secretVersions: createSecretVersions(database),
    })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Cleans up after a crash. @param uploadsFolder a folder that only this server uses */
function clearAway(context: RegistryContext, uploadsFolder: string | undefined): void {
  const { background } = context
  const olderThan = context.now()
  background.start("remove the secrets of removed jobs", (signal) => sweepKeySecrets(context, signal))
  background.start("remove the temporary files of uploads", async (signal) => {
    if (uploadsFolder !== undefined) await sweepTemporaryFiles(uploadsFolder, { olderThan, signal })
  })
}

interface Opened {
  readonly store: FilesetStore
  readonly jobStore: JobStore
  readonly context: RegistryContext
  readonly envelope: Envelope
}

function createParts(options: RegistryOptions, { store, jobStore, context, envelope }: Opened): Registry {
  const { filesets, files, caches, revisions, history, as, trash, sweepHistory, checkReady } = store
  const { database } = context
  const audit = createAudit(context)
  const changes = createChanges(context)
  const uploadsFolder = uploadsFolderOf(options)
  const pieces = createPieceStorage({ ...store, ...context, uploadsFolder })
  return {
    filesets,
    files,
    caches,
    revisions,
    history,
    as,
    trash,
    sweepHistory,
    checkReady,
    workspaces: createWorkspaces({ ...store, ...context, jobs: jobStore.ofWorkspace }),
    budgets: createBudgets(context),
    endpointPaces: createEndpointPaces(context),
    projects: createProjects(context),
    secrets: createSecrets(context, envelope),
    models: createModels(context),
    guardrailConfigurations: createDocuments(context, "guardrail_configurations"),
    jobs: jobStore.jobs,
    webhookEvents: jobStore.webhookEvents,
    evaluationTargets: createDocuments(context, "evaluation_targets"),
    evaluationConfigurations: createDocuments(context, "evaluation_configurations"),
    evaluationBaselines: createDocuments(context, "evaluation_baselines"),
    openUploads: (lifetime) => openUploads({ ...context, uploadsFolder, pieces }, lifetime),
    audit,
    changes,
    endedSessions: createEndedSessions(context),
    integrity: {
      ...store.integrity,
      async checkFiles(checking) {
        const checked = await store.integrity.checkFiles(checking)
        await checkPieces({ ...context, pieces }, checking)
        return checked
      },
      listUnreadableSecrets: async () => (await checkSecretsReadable(database, envelope)).unreadable,
    },
    sharedDatabase: database.shared,
    checkClock: () => checkClock(context),
    readConnectionLimit: () => readConnectionLimit(database),
    checkNotices: () => checkNotices(database.notices),
    async close() {
      // Work in the background would fail without the database, and log that.
      await Promise.all([store, jobStore, audit, changes].map((one) => one.close()))
      await database.close()
    },
  }
}

/** Returns the folder of the pieces of uploads. Undefined if servers share the database: then they are on the default storage. */
function uploadsFolderOf({ database }: RegistryOptions): string | undefined {
  return database.kind === "sqlite" ? join(dirname(database.file), "uploads") : undefined
}
