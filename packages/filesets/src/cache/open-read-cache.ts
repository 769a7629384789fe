import {
  createReadCache,
  openCacheHome,
  settleCache,
  sweepTemporaryFiles,
  type CacheIndex,
  type ReadCache,
} from "@assay/storage"
import { readDatabaseTime } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { createOpenDefaultStorage } from "../storages/open-storage.ts"
import { createCacheIndex } from "./cache-index.ts"

export interface ReadCacheSettings {
  /** Maximum bytes of all cached files together. 0: nothing is cached, and cached files are removed. */
  readonly maxBytes: number
  /** A local folder that only this server uses. Files for a default storage on an object store are collected here first. */
  readonly spoolFolder: string
}

/** Milliseconds. Younger files are kept: another server may be about to record them. */
const YOUNG_MS = 3_600_000

type ReadCacheContext = Pick<
  FilesetsContext,
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
 * Opens the read cache on the default storage. In the background it removes files that a crash left behind, and files
 * beyond a lowered limit. Returns undefined if nothing is to be cached.
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
  background.start("clean up the read cache", async (signal) => {
    // On a local default storage, temporary files are beside their targets and are swept with those of uploads.
    if (defaultStorage.type !== "local") {
      await sweepTemporaryFiles(spoolFolder, { olderThan: now(), signal })
      // Before its secrets are set, the store can't be asked.
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
