import { resolve } from "node:path"
import { openRegistry, type ReadCacheSettings, type Registry } from "@assay/registry"
import { createIdMaker } from "./new-id.ts"
import { openOutbound } from "./outbound/open-outbound.ts"
import type { ServerContext } from "./server-context.ts"
import { openEncryptionKeys, readEncryptionKeys, type EncryptionKey } from "./settings/encryption-keys.ts"
import { sleep } from "./sleep.ts"

/** The registry that `context`'s settings describe; without `readCache` it caches nothing, and leaves a cache as it is. */
export async function openSettingsRegistry(
  context: ServerContext,
  dataFolder: string,
  readCache?: ReadCacheSettings,
): Promise<Registry> {
  const { settings, cwd, now, randomBytes, logger } = context
  await using resources = new AsyncDisposableStack()
  const outbound = resources.adopt(openOutbound(settings), (opened) => opened.close())
  const registry = await openRegistry({
    database:
      settings.DATABASE_URL === undefined
        ? { kind: "sqlite", file: resolve(dataFolder, "registry.db") }
        : { kind: "postgres", url: settings.DATABASE_URL },
    defaultStorage: settings.ASSAY_DEFAULT_STORAGE ?? { type: "local", path: resolve(dataFolder, "storage") },
    allowedLocalRoots: settings.ASSAY_ALLOWED_LOCAL_ROOTS.map((root) => resolve(cwd, root)),
    encryptionKeys: keysOf(context, dataFolder),
    now,
    newId: createIdMaker(randomBytes),
    randomBytes,
    transport: outbound.transport,
    checkEndpoint: outbound.checkEndpoint,
    random: Math.random,
    sleep,
    log: logger,
    ...(readCache === undefined ? {} : { readCache }),
  })
  resources.adopt(registry, (opened) => opened.close())
  const opened = resources.move()
  return { ...registry, close: () => opened.disposeAsync() }
}

function keysOf({ settings, cwd, randomBytes, logger }: ServerContext, dataFolder: string): readonly EncryptionKey[] {
  const { ASSAY_ENCRYPTION_KEYS: given, ASSAY_ENCRYPTION_KEYS_FILE: file } = settings
  if (file === undefined) return openEncryptionKeys(given, dataFolder, randomBytes)
  return readEncryptionKeys(resolve(cwd, file), (message) => logger.warn(message))
}
