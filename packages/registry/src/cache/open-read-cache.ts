import {
  createReadCache,
  openCacheHome,
  settleCache,
  sweepTemporaryFiles,
  type CacheIndex,
  type ReadCache,
} from "@assay/storage"
import { readDatabaseTime } from "../database/clock.ts"
import type { RegistryContext } from "../registry-context.ts"
import { createCacheIndex } from "./cache-index.ts"
import { createOpenDefaultStorage } from "../storages/open-default-storage.ts"

export interface ReadCacheSettings {
  /** Bytes of all cached files together. With 0 nothing is cached, and what is cached goes. */
  readonly maxBytes: number
  /** A folder of this machine, of this server alone: where files grow that a default storage is sent which is not local. */
  readonly spoolFolder: string
}

/** Files that were made since are left alone: another server may be about to put them on record. */
const YOUNG_MS = 3_600_000

type ReadCacheContext = Pick<
  RegistryContext,
  | "contentChecks"
  | "database"
  | "now"
  | "newId"
  | "log"
  | "background"
  | "defaultStorage"
  | "secretVersions"
  | "remote"
  | "checkEndpoint"
>

/**
 * Opens the read cache on the default storage, and has it settled in the background: what a crash left behind goes, and
 * what is beyond a limit that was lowered. Undefined where nothing is to be cached.
 */
export function openReadCache(context: ReadCacheContext, settings: ReadCacheSettings): ReadCache | undefined {
  const { now, newId, log, background, defaultStorage } = context
  const { maxBytes, spoolFolder } = settings
  const index = createCacheIndex(context)
  const home = openCacheHome({
    configuration: defaultStorage,
    open: createOpenDefaultStorage(context),
    spoolFolder,
    newId: () => newId("cache"),
  })
  background.start("settle the read cache", async (signal) => {
    // On a local default storage files grow beside their places, and are swept with those of uploads.
    if (defaultStorage.type !== "local") {
      await sweepTemporaryFiles(spoolFolder, { olderThan: now(), signal })
      // Before the first start has ended, a store may have no secrets yet to be asked with.
      if (await isEmpty(index)) return
    }
    const time = await context.database.read((queries) => readDatabaseTime(queries, context))
    await settleCache({ home, index, maxBytes, olderThan: time - YOUNG_MS, signal })
  })
  if (maxBytes === 0) return undefined
  return createReadCache({
    home,
    index,
    maxBytes,
    warn: (error, what) => log.warn({ err: error }, `Could not ${what}`),
  })
}

async function isEmpty(index: CacheIndex): Promise<boolean> {
  for await (const _entry of index.list()) return false
  return true
}
