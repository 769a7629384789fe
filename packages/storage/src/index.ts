export type { ByteRange } from "./byte-range.ts"
export { openCacheHome, type CacheHome, type CacheHomeOptions } from "./cache/cache-home.ts"
export type { CacheEntry, CacheIndex, FileFacts } from "./cache/cache-index.ts"
export { cachePath } from "./cache/cache-key.ts"
export { isCachingStorage, type CachingStorage } from "./cache/caching-storage.ts"
export { createReadCache, type ReadCache, type ReadCacheOptions } from "./cache/read-cache.ts"
export { settleCache, type SettleCacheOptions } from "./cache/settle-cache.ts"
export { withCache, type CachedStorageOptions } from "./cache/with-cache.ts"
export { compareCodePoints } from "./compare-code-points.ts"
export { deleteAll, type DeleteAllOptions } from "./delete-all.ts"
export type { DigestIndex, FileVersion } from "./digest-index.ts"
export {
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
  isFilePath,
  parseFilePath,
  parseNewFilePath,
  type FilePath,
} from "./file-path.ts"
export type { RemoteContext } from "./remote/remote-context.ts"
export { formatRange } from "./format-range.ts"
export { createTransport, type TransportOptions } from "./http/create-transport.ts"
export type { HttpHeaders, HttpRequest, HttpResponse, Transport } from "./http/transport.ts"
export { openLocalStorage, type LocalStorageOptions } from "./local/open.ts"
export { createSystemLocks, type SystemLocks } from "./local/system-locks.ts"
export { sweepTemporaryFiles, type SweepOptions } from "./local/sweep-temporary-files.ts"
export {
  createContentChecks,
  type ContentChecks,
  type ContentChecksOptions,
  type Damage,
} from "./local/verify/content-checks.ts"
export { isTemporaryName } from "./local/temporary-name.ts"
export { createMemoryDigestIndex } from "./memory-digest-index.ts"
export type { KnownConditions } from "./objstore/takes-condition.ts"
export { openStorage, type RemoteStorageContext, type OpenedStorage, type StorageContext } from "./open-storage.ts"
export { parseRangeHeader } from "./parse-range-header.ts"
export { createPathLocks, type PathLocks } from "./path-locks.ts"
export { probeStorage } from "./probe-storage.ts"
export { quotePath } from "./quote-path.ts"
export { openRegularFile, readRegularFile } from "./regular-file.ts"
export { resolveRange, type ResolvedRange } from "./resolve-range.ts"
export { STORAGE_CAPABILITIES } from "./storage-capabilities.ts"
export type {
  ListOptions,
  ReadOptions,
  ReadResult,
  Storage,
  StorageCapabilities,
  StoredFile,
  WriteOptions,
} from "./storage.ts"
export { openFolderStorage } from "./folder/open-folder-storage.ts"
export { readOnly, type ReadableStorage } from "./folder/read-only.ts"
