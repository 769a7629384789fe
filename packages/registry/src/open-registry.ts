import { createContentChecks, createSystemLocks, type Damage } from "@assay/storage"
import { createBackground } from "./background.ts"
import { createCaches } from "./cache/create-caches.ts"
import { createWarmups } from "./cache/create-warmups.ts"
import { openReadCache } from "./cache/open-read-cache.ts"
import { freeWarmups } from "./cache/warmup-rows.ts"
import { createCheckReady } from "./check-ready.ts"
import { checkClock, watchClock, readDatabaseTime } from "./database/clock.ts"
import { openDatabase } from "./database/open-database.ts"
import { createDocuments } from "./documents/create-documents.ts"
import { createFiles } from "./files/create-files.ts"
import { createDigestIndexes } from "./files/digest-indexes.ts"
import { createOpenFileset } from "./files/open-fileset.ts"
import { sweepUploads } from "./files/sweep-uploads.ts"
import { createFilesets } from "./filesets/create-filesets.ts"
import { createFindFileset, createLocateFileset } from "./filesets/find-fileset.ts"
import { createRemovals } from "./filesets/removal/removals.ts"
import { settleTrash } from "./filesets/removal/remove-filesets.ts"
import { openTrash } from "./filesets/removal/trash.ts"
import { createIntegrity } from "./integrity/create-integrity.ts"
import { createJobs } from "./jobs/create-jobs.ts"
import { freeJobs } from "./jobs/lost-jobs.ts"
import { freeAnalyses } from "./models/analysis-run.ts"
import { createModels } from "./models/create-models.ts"
import { createProjects } from "./projects/create-projects.ts"
import type { RegistryContext, RegistryLog } from "./registry-context.ts"
import type { RegistryOptions } from "./registry-options.ts"
import type { Registry, SecretRights } from "./registry.ts"
import { createRevisions } from "./revisions/create-revisions.ts"
import { createSecrets } from "./secrets/create-secrets.ts"
import { createEnvelope, createKeyRing } from "./secrets/envelope.ts"
import { createResolveSecret, createSecretVersions } from "./secrets/secret-access.ts"
import { sweepKeySecrets } from "./secrets/sweep-key-secrets.ts"
import { checkKeysAtStart } from "./secrets/unreadable-secrets.ts"
import { checkDefaultStorage } from "./storages/default-storage.ts"
import { makeBuiltInWorkspaces, createWorkspaces } from "./workspaces/create-workspaces.ts"

/**
 * Opens a registry. It creates a missing database, migrates it to the newest schema, and cleans up after a crash in the
 * background.
 * @throws `bad_settings`; `encryption_key_missing` if secrets are sealed with a key that is not given
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const {
    now,
    newId,
    transport,
    random,
    sleep,
    log = SILENT,
    checkEndpoint = () => {},
    checkStorageMs = 30_000,
    encryptionKeysPlace = "the encryption keys given",
    guest = false,
    backendDeadlineMs,
  } = options
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  const root = defaultStorage.type === "local" ? defaultStorage.path : undefined
  const onBroken = (error: Error) => log.warn({ err: error }, "A connection to the database broke")
  const database = await openDatabase(options.database, onBroken, { guest })
  try {
    if (!guest) await prepare()
  } catch (error) {
    await database.close()
    throw error
  }

  async function prepare(): Promise<void> {
    await checkKeysAtStart(database, envelope, { place: encryptionKeysPlace, log })
    await makeBuiltInWorkspaces({ database, now, newId })
    // No other server can hold these leases, so do not wait for their end.
    if (options.database.kind === "sqlite") {
      await freeWarmups({ database, now })
      await freeAnalyses({ database, now })
      await freeJobs({ database, now })
    }
  }
  const background = createBackground(log)
  const resolveSecret = createResolveSecret(database, envelope)
  const deadline = backendDeadlineMs === undefined ? {} : { deadlineMs: backendDeadlineMs }
  // Shared by all filesets: what one of them learns about a bucket is true for the others.
  const remote = { transport, now, random, sleep, resolveSecret, knownConditions: new Map(), ...deadline }
  const basis = {
    database,
    now,
    newId,
    log,
    encryptionKeysPlace,
    background,
    remote,
    secretVersions: createSecretVersions(database),
    defaultStorage,
    checkEndpoint,
    contentChecks: createContentChecks({ now, onDamage: (damage) => logDamage(log, damage) }),
  }
  const readCache = options.readCache && openReadCache(basis, options.readCache)
  const context: RegistryContext = {
    ...basis,
    readCache,
    trash: root === undefined ? undefined : openTrash(root),
    removals: createRemovals(basis),
    localRoots: {
      allowed: options.allowedLocalRoots,
      reserved: [...(options.reservedFolders ?? []), ...(root === undefined ? [] : [root])],
    },
    isShared: options.database.kind === "postgres",
    // Outside the folders of filesets, so that the locks stay when a fileset is removed.
    systemLocks: root === undefined ? undefined : createSystemLocks(`${root}/.locks`),
    checkStorageMs,
  }
  if (!guest) {
    clearAway(context, options)
    watchClock(context)
  }

  const find = createFindFileset(context)
  const locate = createLocateFileset(context)
  const openFileset = createOpenFileset(context, createDigestIndexes(database))
  const { open, revisionsFor } = createRevisions(context, find, openFileset)
  const warmups = readCache && createWarmups(context, readCache, openFileset)
  const filesetsFor = createFilesets(context, find, warmups)
  const as = (rights: SecretRights) => ({
    filesets: filesetsFor(rights),
    files: createFiles(context, { find, locate, open, rights }),
    caches: createCaches(context, { find, open, rights, warmups }),
    revisions: revisionsFor(rights),
  })
  return {
    ...as(NO_OTHER_SECRETS),
    as,
    workspaces: createWorkspaces(context),
    projects: createProjects(context),
    secrets: createSecrets(context, envelope),
    models: createModels(context),
    guardrailConfigurations: createDocuments(context, "guardrail_configurations"),
    jobs: createJobs({ ...context, find, openFileset }),
    evaluationTargets: createDocuments(context, "evaluation_targets"),
    evaluationConfigurations: createDocuments(context, "evaluation_configurations"),
    checkReady: createCheckReady(context),
    integrity: createIntegrity(context, envelope, openFileset),
    checkClock: () => checkClock(context),
    async close() {
      await Promise.all([context.background.end(), readCache?.close()])
      context.systemLocks?.close()
      await context.contentChecks.close()
      await database.close()
    },
  }
}

function logDamage(log: RegistryLog, { root, path, expected, found }: Damage): void {
  const message = "The bytes of a file are not those that were written"
  const where = { folder: root, path, expected_sha256: expected, found_sha256: found }
  if (log.error === undefined) log.warn(where, message)
  else log.error(where, message)
}

const SILENT: RegistryLog = { warn: () => {} }

const NO_OTHER_SECRETS: SecretRights = () => false

const HOUR = 3_600_000

/** Cleans up after a crash. If servers share the database, files of the last hour may be in use by another server. */
function clearAway(context: RegistryContext, { database: { kind } }: RegistryOptions): void {
  const { background, trash, database } = context
  const opened = context.now()
  background.start("empty the trash of removed filesets", async () => settleTrash(context, (await trash?.ids()) ?? []))
  background.start("remove the temporary files of uploads", async (signal) => {
    const shared = () => database.read((queries) => readDatabaseTime(queries, context))
    await sweepUploads(context, { olderThan: kind === "sqlite" ? opened : (await shared()) - HOUR, signal })
  })
  background.start("remove the secrets of removed jobs", (signal) => sweepKeySecrets(context, signal))
}
