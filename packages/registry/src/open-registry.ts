import type { StorageConfiguration } from "@assay/schemas"
import {
  createContentChecks,
  createSystemLocks,
  loadAdapter,
  type Damage,
  type RemoteContext,
  type Transport,
} from "@assay/storage"
import { createAudit } from "./audit/create-audit.ts"
import { createBackground } from "./background.ts"
import { createCaches } from "./cache/create-caches.ts"
import { createWarmups } from "./cache/create-warmups.ts"
import { openReadCache, type ReadCacheSettings } from "./cache/open-read-cache.ts"
import { freeWarmups } from "./cache/warmup-rows.ts"
import { createCheckReady } from "./check-ready.ts"
import { checkClock, readDatabaseTime, watchClock } from "./database/clock.ts"
import { readConnectionLimit } from "./database/connection-limit.ts"
import { checkNotices, NO_NOTICES } from "./database/notices.ts"
import { openDatabase, type DatabaseOptions } from "./database/open-database.ts"
import { createDocuments } from "./documents/documents.ts"
import { createFiles } from "./files/create-files.ts"
import { createDigestIndexes } from "./files/digest-indexes.ts"
import { createOpenFileset } from "./files/open-fileset.ts"
import { createListings } from "./files/share-listings.ts"
import { sweepUploads } from "./files/sweep-uploads.ts"
import { createFilesets } from "./filesets/create-filesets.ts"
import { createFindFileset, createLocateFileset } from "./filesets/fileset-row.ts"
import type { LocalRoot } from "./filesets/local-folders.ts"
import { createRemovals } from "./filesets/removal/removals.ts"
import { createRemovedRecords, watchRemovedRecords } from "./filesets/removal/removed-records.ts"
import { settleTrash } from "./filesets/removal/remove-filesets.ts"
import { openTrash } from "./filesets/removal/trash.ts"
import { createIntegrity } from "./integrity/create-integrity.ts"
import { createJobWatches } from "./jobs/job-watches.ts"
import { createJobs } from "./jobs/create-jobs.ts"
import { freeJobs } from "./jobs/lost-jobs.ts"
import { freeAnalyses } from "./models/analysis-run.ts"
import { createModels } from "./models/create-models.ts"
import { createEndpointPaces } from "./paces/endpoint-paces.ts"
import { createProjects } from "./projects/create-projects.ts"
import type { RegistryContext } from "./registry-context.ts"
import type { RegistryLog } from "./registry-log.ts"
import type { Registry } from "./registry.ts"
import type { SecretRights } from "./secrets/secret-rights.ts"
import { createRevisions } from "./revisions/create-revisions.ts"
import { createSecrets } from "./secrets/create-secrets.ts"
import { createEnvelope, createKeyRing, type EncryptionKey } from "./secrets/envelope.ts"
import { createResolveSecret, createSecretVersions } from "./secrets/secret-access.ts"
import { sweepKeySecrets } from "./secrets/sweep-key-secrets.ts"
import { checkKeysAtStart } from "./secrets/unreadable-secrets.ts"
import { openUploads } from "./shared-uploads/open-uploads.ts"
import { createOpenDefaultStorage } from "./storages/open-storage.ts"
import { checkDefaultStorage } from "./storages/storage-configuration.ts"
import { checkDatabaseNotLost, settleAtStart } from "./storages/storage-id.ts"
import { createEndedSessions } from "./sessions/ended-sessions.ts"
import { createBudgets } from "./workspaces/create-budgets.ts"
import { createSteadyClock } from "./steady-clock.ts"
import { createWorkspaces, makeBuiltInWorkspaces } from "./workspaces/create-workspaces.ts"

/** The options and dependencies of a registry. */
export interface RegistryOptions {
  readonly database: DatabaseOptions
  /**
   * The storage of filesets that name no storage: local or an object store. Each fileset is below
   * `filesets/{workspace}/{name}`. Several servers on one database need the same folder. Secrets without a workspace are
   * those of `system`, and `use_sdk_auth` is allowed.
   */
  readonly defaultStorage: StorageConfiguration
  /**
   * Folders below which users may name local storage. An empty list: users may not. If one root contains another, the
   * innermost decides.
   */
  readonly allowedLocalRoots: readonly LocalRoot[]
  /** Folders that users' local storage may not contain or be in, in addition to that of the default storage. */
  readonly reservedFolders?: readonly string[] | undefined
  /** Newest first. The newest seals new values, the others unseal old ones. All servers of a database need the same keys. */
  readonly encryptionKeys: readonly EncryptionKey[]
  /** The source of these keys, for messages. Default: "the encryption keys given". */
  readonly encryptionKeysPlace?: string | undefined
  /**
   * Whether a server may be using the same database, as for a check or a backup. Then the registry creates, migrates and
   * cleans up nothing, and does not try the encryption keys. Default false.
   */
  readonly guest?: boolean | undefined
  /** Whether missing migrations are run. Without them, the database must have the newest schema. Default true. */
  readonly isMigrated?: boolean | undefined
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Returns milliseconds since any moment, for elapsed times. The clock of the machine does not change it. Default: `now`. */
  readonly elapsed?: (() => number) | undefined
  /** Returns a new id that begins with `prefix` and a hyphen, such as `fileset-3QJmnh8Y1kGqvS4cQKFJ2b`. */
  readonly newId: (prefix: string) => string
  /** Returns cryptographically secure random bytes. */
  readonly randomBytes: (count: number) => Uint8Array
  /** Sends requests to remote backends. It decides which addresses are allowed. */
  readonly transport: Transport
  /**
   * Checks that users may name this address of a backend. Default: any address.
   * @throws `host_not_allowed`
   */
  readonly checkEndpoint?: ((endpoint: string) => void) | undefined
  /** Returns a number from 0 to 1 for the jitter of retries. */
  readonly random: RemoteContext["random"]
  /** Waits before a retry, in milliseconds, or throws the reason of the signal. */
  readonly sleep: RemoteContext["sleep"]
  /** Maximum time of an operation on a remote backend, including retries, in milliseconds. Default 40,000. */
  readonly backendDeadlineMs?: number | undefined
  /** Milliseconds that the check of a new fileset's storage may take. Default 30,000. */
  readonly checkStorageMs?: number | undefined
  /** The read cache for remote storage, on the default storage. Default: nothing is cached, and cached files are kept. */
  readonly readCache?: ReadCacheSettings | undefined
  /** Receives problems that no caller waits for. Default: they are dropped. */
  readonly log?: RegistryLog | undefined
}

/**
 * Opens a registry. It creates a missing database, migrates it to the newest schema, and cleans up after a crash in the
 * background.
 * @throws `bad_settings`; `encryption_key_missing` if secrets are sealed with a key that is not given
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const {
    now,
    elapsed = now,
    newId,
    transport,
    random,
    sleep,
    log = SILENT,
    checkEndpoint = () => {},
    checkStorageMs = 30_000,
    encryptionKeysPlace = "the encryption keys given",
    guest = false,
    isMigrated = true,
    backendDeadlineMs,
  } = options
  const envelope = createEnvelope(createKeyRing(options.encryptionKeys), options.randomBytes)
  const defaultStorage = checkDefaultStorage(options.defaultStorage)
  const root = defaultStorage.type === "local" ? defaultStorage.path : undefined
  const onBroken = (error: Error) => log.warn({ err: error }, "A connection to the database broke")
  const onDeaf = (error: Error) => log.warn({ err: error }, NO_NOTICES)
  await loadAdapter(defaultStorage.type)
  if (!guest) await checkDatabaseNotLost(options.database, defaultStorage)
  const database = await openDatabase(options.database, onBroken, { guest, onDeaf, mayMigrate: () => isMigrated })
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
  const remote = { transport, now, elapsed, random, sleep, resolveSecret, knownConditions: new Map(), ...deadline }
  const basis = {
    database,
    now,
    elapsed,
    newId,
    log,
    encryptionKeysPlace,
    background,
    remote,
    secretVersions: createSecretVersions(database),
    defaultStorage,
    checkEndpoint,
    contentChecks: createContentChecks({ now: elapsed, onDamage: (damage) => logDamage(log, damage) }),
  }
  const readCache = options.readCache && openReadCache(basis, options.readCache)
  const context: RegistryContext = {
    ...basis,
    readCache,
    trash: root === undefined ? undefined : openTrash(root),
    removals: createRemovals(basis),
    removedRecords: createRemovedRecords(basis),
    localRoots: {
      allowed: options.allowedLocalRoots,
      reserved: [...(options.reservedFolders ?? []), ...(root === undefined ? [] : [root])],
    },
    isShared: options.database.kind === "postgres",
    // Outside the folders of filesets, so that the locks stay when a fileset is removed.
    systemLocks: root === undefined ? undefined : createSystemLocks(`${root}/.locks`),
    checkStorageMs,
  }
  const openDefaultStorage = createOpenDefaultStorage(context)
  if (!guest) {
    await settleAtStart({ ...context, openDefaultStorage }).catch(async (error: unknown) => {
      // Work in the background would fail without the database, and log that.
      await Promise.all([background.end(), readCache?.close(), context.contentChecks.close()])
      context.systemLocks?.close()
      await database.close()
      throw error
    })
    clearAway(context, options)
    watchRemovedRecords(context)
    watchClock(context)
  }

  const find = createFindFileset(context)
  const locate = createLocateFileset(context)
  const openFileset = createOpenFileset(context, createDigestIndexes(database))
  const { open, revisionsFor } = createRevisions(context, find, openFileset)
  const warmups = readCache && createWarmups(context, readCache, openFileset)
  const filesetsFor = createFilesets(context, find, warmups)
  const watches = createJobWatches(database)
  const listings = createListings()
  const as = (rights: SecretRights) => ({
    filesets: filesetsFor(rights),
    files: createFiles(context, { find, locate, open, rights, listings }),
    caches: createCaches(context, { find, open, rights, warmups }),
    revisions: revisionsFor(rights),
  })
  const steadyNow = createSteadyClock(context)
  const audit = createAudit({ ...context, steadyNow })
  return {
    ...as(NO_OTHER_SECRETS),
    as,
    workspaces: createWorkspaces({ ...context, openDefaultStorage }),
    budgets: createBudgets(context),
    endpointPaces: createEndpointPaces(context),
    projects: createProjects(context),
    secrets: createSecrets(context, envelope),
    models: createModels(context),
    guardrailConfigurations: createDocuments(context, "guardrail_configurations"),
    jobs: createJobs({ ...context, find, openFileset, openDefaultStorage }, watches),
    evaluationTargets: createDocuments(context, "evaluation_targets"),
    evaluationConfigurations: createDocuments(context, "evaluation_configurations"),
    evaluationBaselines: createDocuments(context, "evaluation_baselines"),
    openUploads: (where) => openUploads({ ...context, steadyNow, openDefaultStorage }, where),
    checkReady: createCheckReady(context, guest),
    sharedDatabase: database.shared,
    audit,
    endedSessions: createEndedSessions(context),
    integrity: createIntegrity({ ...context, openDefaultStorage }, envelope, openFileset),
    checkClock: () => checkClock(context),
    readConnectionLimit: () => readConnectionLimit(database),
    checkNotices: () => checkNotices(database.notices),
    async close() {
      await Promise.all([context.background.end(), readCache?.close(), watches.close(), audit.close()])
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
  background.start("empty the trash of removed filesets", async (signal) =>
    settleTrash(context, (await trash?.ids()) ?? [], signal),
  )
  background.start("remove the temporary files of uploads", async (signal) => {
    const shared = () => database.read((queries) => readDatabaseTime(queries, context))
    await sweepUploads(context, { olderThan: kind === "sqlite" ? opened : (await shared()) - HOUR, signal })
  })
  background.start("remove the secrets of removed jobs", (signal) => sweepKeySecrets(context, signal))
}
