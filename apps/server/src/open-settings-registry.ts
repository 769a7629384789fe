import { hkdfSync } from "node:crypto"
import { basename, resolve } from "node:path"
import type { DatabaseOptions } from "@assay/database"
import { checkDatabaseNotLost, parseLocalRoot, type ReadCacheSettings } from "@assay/filesets"
import {
  type EncryptionKeys,
  openEncryptionKeys,
  openRegistry,
  readEncryptionKeys,
  type Registry,
} from "@assay/registry"
import type { StorageConfiguration } from "@assay/schemas"
import { createSignatureChecks, parseTrustedKeys, readPemFiles } from "@assay/signatures"
import type { Telemetry } from "@assay/telemetry"
import { createIdMaker } from "./new-id.ts"
import { openOutbound } from "./outbound/open-outbound.ts"
import { traceTransport } from "./outbound/trace-transport.ts"
import type { ServerContext } from "./server-context.ts"
import type { Settings } from "./settings/settings-schema.ts"
import { sleep } from "./sleep.ts"

/** Returns the database of a server with these settings. */
export function databaseOf(settings: Settings, dataFolder: string): DatabaseOptions {
  const { DATABASE_URL: url, DATABASE_NOTIFY_URL: notifyUrl, ASSAY_DATABASE_POOL: maxConnections } = settings
  return url === undefined
    ? { kind: "sqlite", file: resolve(dataFolder, "registry.db") }
    : { kind: "postgres", url, notifyUrl, maxConnections }
}

/** Returns the default storage of a server with these settings. */
function defaultStorageOf(settings: Settings, dataFolder: string): StorageConfiguration {
  return settings.ASSAY_DEFAULT_STORAGE ?? { type: "local", path: resolve(dataFolder, "storage") }
}

/** Returns where keys and certificates are whose signatures of models are trusted. */
function trustedKeyPaths({ ASSAY_TRUSTED_KEYS: path }: Settings, cwd: string): readonly string[] {
  return path === undefined ? [] : [resolve(cwd, path)]
}

/** Checks that a server with these settings, which has no database, has no files of a lost one either. @throws `bad_settings` */
export async function checkNothingLost(settings: Settings, dataFolder: string): Promise<void> {
  await checkDatabaseNotLost(databaseOf(settings, dataFolder), defaultStorageOf(settings, dataFolder))
}

interface RegistryOptions {
  readonly readCache?: ReadCacheSettings
  /** Makes a span of each request to a remote backend. */
  readonly telemetry?: Telemetry | undefined
  readonly guest?: boolean
}

/**
 * Opens the registry that the settings of `context` describe. Without `readCache` it caches nothing, and leaves an existing
 * cache unchanged. With `guest` it creates and changes nothing by itself, because a server may be using the same data.
 */
export async function openSettingsRegistry(
  context: ServerContext,
  dataFolder: string,
  { readCache, telemetry, guest = false }: RegistryOptions = {},
): Promise<Registry> {
  const { settings, cwd, now, randomBytes, logger, backendDeadlineMs } = context
  await using resources = new AsyncDisposableStack()
  const { keys, source, keep } = keysOf(context, dataFolder)
  const outbound = resources.adopt(openOutbound(settings), (opened) => opened.close())
  const registry = await openRegistry({
    database: databaseOf(settings, dataFolder),
    defaultStorage: defaultStorageOf(settings, dataFolder),
    allowedLocalRoots: settings.ASSAY_ALLOWED_LOCAL_ROOTS.map((text) => {
      const root = parseLocalRoot(text)
      return { ...root, path: resolve(cwd, root.path) }
    }),
    reservedFolders: [dataFolder],
    encryptionKeys: keys,
    encryptionKeysSource: source,
    now,
    elapsed: () => performance.now(),
    newId: createIdMaker(randomBytes),
    randomBytes,
    transport: traceTransport(outbound.transport, telemetry),
    checkEndpoint: outbound.checkEndpoint,
    random: Math.random,
    sleep,
    log: logger,
    guest,
    isMigrated: settings.ASSAY_MIGRATE,
    signatureChecks: createSignatureChecks(async () =>
      parseTrustedKeys(await readPemFiles(trustedKeyPaths(settings, cwd), (path) => basename(path))),
    ),
    history: { days: settings.ASSAY_HISTORY_DAYS, maxBytes: settings.ASSAY_HISTORY_MAX_BYTES },
    trashMs: settings.ASSAY_TRASH_HOURS * 3_600_000,
    ...(backendDeadlineMs === undefined ? {} : { backendDeadlineMs }),
    ...(readCache === undefined ? {} : { readCache }),
  })
  resources.adopt(registry, (opened) => opened.close())
  if (!guest) keep()
  const opened = resources.move()
  return { ...registry, close: () => opened.disposeAsync() }
}

/** Returns the key of the sessions of browsers. Servers with the same encryption keys have the same one. */
export function sessionKeyOf(context: ServerContext, dataFolder: string): Uint8Array {
  const [newest] = keysOf(context, dataFolder).keys
  return new Uint8Array(
    hkdfSync("sha256", newest?.key ?? context.randomBytes(32), "", "assay sessions of browsers", 32),
  )
}

/** Returns the key of the hashes of chunks in shards. Servers that share the encryption key send the same shards. */
export function shardKeyOf(context: ServerContext, dataFolder: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", sessionKeyOf(context, dataFolder), "", "assay shards of chunks", 32))
}

/** Returns the keys from which the secrets of S3 access keys are derived, newest first. Secrets of an older key fit until it is removed. */
export function accessKeysKeysOf(context: KeysContext, dataFolder: string): readonly [Uint8Array, ...Uint8Array[]] {
  const info = "assay secrets of S3 access keys"
  const [newest, ...older] = keysOf(context, dataFolder).keys.map(
    ({ key }) => new Uint8Array(hkdfSync("sha256", key, "", info, 32)),
  )
  return [newest ?? context.randomBytes(32), ...older]
}

export interface KeysContext extends Pick<ServerContext, "settings" | "cwd" | "randomBytes"> {
  readonly logger: { warn(message: string): void }
}

function keysOf({ settings, cwd, randomBytes, logger }: KeysContext, dataFolder: string): EncryptionKeys {
  const { ASSAY_ENCRYPTION_KEYS: given, ASSAY_ENCRYPTION_KEYS_FILE: file } = settings
  if (file === undefined) return openEncryptionKeys(given, dataFolder, randomBytes)
  return readEncryptionKeys(resolve(cwd, file), (message) => logger.warn(message))
}
