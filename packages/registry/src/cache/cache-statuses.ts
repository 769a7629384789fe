import type { CacheStatus } from "@assay/schemas"
import { isCachingStorage, type Storage, type StoredFile } from "@assay/storage"

/** How files of a listing stand with the read cache: what is not far, or is pinned by nothing, is never in it. */
export async function cacheStatuses(storage: Storage, files: readonly StoredFile[]): Promise<readonly CacheStatus[]> {
  return isCachingStorage(storage) ? storage.cacheStatuses(files) : files.map(() => "not_cacheable")
}
