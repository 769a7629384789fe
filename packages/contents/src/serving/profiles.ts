import { isAssayError, type RowProfile } from "@assay/schemas"
import { type FilePath, isFilePath, type Storage } from "@assay/storage"
import { LRUCache } from "lru-cache"
import { rowFormatOf } from "../rows/row-format.ts"
import type { RowReader } from "./row-reader.ts"
import type { Turns } from "@assay/isolation"

/** Profiles of files that are kept, and the columns of the largest one: each can have hundreds of kilobytes. */
const MAX_PROFILES = 50
const MAX_KEPT_COLUMNS = 200

/** Creates the function that describes the columns of files. The profile of one version of a file is kept. */
export function createProfiles(turns: Turns): RowReader["profile"] {
  const profiles = new LRUCache<string, RowProfile>({ max: MAX_PROFILES })
  return async ({ id, storage, metadata }, { path, signal }) => {
    const etag =
      path === undefined || !isFilePath(path) || rowFormatOf(path) === undefined
        ? null
        : await etagOf(storage, path, signal)
    const key = etag === null ? undefined : JSON.stringify([id, path, etag, metadata])
    const known = key === undefined ? undefined : profiles.get(key)
    if (known !== undefined) return known
    const { profileRows } = await import("../profile/profile-rows.ts")
    const profile = await turns.run(signal, () => profileRows({ storage, metadata, path, signal }))
    if (key !== undefined && profile.columns.length <= MAX_KEPT_COLUMNS) profiles.set(key, profile)
    return profile
  }
}

/** Returns the version of a file; null if it is unknown, or if there is no such file. */
async function etagOf(storage: Storage, path: FilePath, signal: AbortSignal): Promise<string | null> {
  try {
    return (await storage.stat(path, { signal })).etag
  } catch (error) {
    if (isAssayError(error)) return null
    throw error
  }
}
