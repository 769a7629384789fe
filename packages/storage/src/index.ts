export { formatRange, parseRangeHeader, resolveRange, type ByteRange } from "./byte-range.ts"
export { openCacheHome } from "./cache/cache-home.ts"
export type { CacheEntry, CacheIndex } from "./cache/cache-index.ts"
export { cachePath } from "./cache/cache-key.ts"
export { createReadCache, type ReadCache } from "./cache/read-cache.ts"
export { settleCache } from "./cache/settle-cache.ts"
export { isCachingStorage, withCache, type CachingStorage } from "./cache/with-cache.ts"
export { createFolder, createFolderAtOnce, syncFolder, syncFolderAtOnce } from "./create-folder.ts"
export { deleteAll } from "./delete-all.ts"
export { diskFailure, openFailure } from "./disk-failure.ts"
export type { DigestIndex, FileVersion } from "./digest-index.ts"
export {
  compareCodePoints,
  isFilePath,
  parseFilePath,
  parseNewFilePath,
  quotePath,
  type FilePath,
} from "./file-path.ts"
export {
  HISTORY_FOLDER,
  isHistoryPath,
  type FileChange,
  type FileHistory,
  type KeptBytes,
  type KeptVersion,
} from "./file-history.ts"
export { readSlice, sizeOfWholeLines } from "./file-slices.ts"
export { forEachParallel } from "./for-each-parallel.ts"
export { createOutages, NO_PATIENCE, type Outages } from "./remote/outages.ts"
export type { RemoteContext } from "./remote/remote-context.ts"
export { createTransport } from "@assay/http/node"
export type { HttpRequest, Transport } from "@assay/http"
export { createListedFiles, type ListedFiles } from "./local/listing/listed-files.ts"
export { openLocalStorage } from "./local/open.ts"
export { pathErrorCode } from "./path-error.ts"
export { takeProcessLock } from "./local/process-lock.ts"
export { createSystemLocks, type SystemLocks } from "./local/system-locks.ts"
export { sweepTemporaryFiles } from "./local/writing/sweep-temporary-files.ts"
export { createContentChecks, type ContentChecks, type Damage } from "./local/verifying/content-checks.ts"
export { writeBytes } from "./local/writing/write-bytes.ts"
export { isTemporaryName } from "./local/writing/temporary-file.ts"
export {
  loadAdapter,
  openStorage,
  probeStorage,
  type OpenedStorage,
  type RemoteStorageContext,
  type StorageContext,
} from "./open-storage.ts"
export { createPathLocks, type PathLocks } from "./path-locks.ts"
export { readAhead } from "./read-ahead.ts"
export { openRegularFile, readRegularFile } from "./regular-file.ts"
export { replaceFile } from "./replace-file.ts"
export {
  STORAGE_CAPABILITIES,
  type DeleteOptions,
  type GrownFile,
  type KeptFile,
  type LevelOptions,
  type ListOptions,
  type ReadOptions,
  type ReadResult,
  type Storage,
  type StoredFile,
  type StoredFolder,
  type WriteOptions,
} from "./storage.ts"
export { openFolderStorage, readOnly } from "./folder/folder-storage.ts"
export { folderOf, nameOf } from "./file-path.ts"
export { localFailure } from "./folder/local-failure.ts"
export { writeTogether } from "./folder/write-together.ts"
export { writeWholeFile } from "./folder/write-whole-file.ts"
export { checkNoLfsPointer, readLocalText, readStreamText } from "./folder/read-local-text.ts"
export {
  formatLfsPointer,
  type LfsPointer,
  lfsPointerFault,
  MAX_LFS_POINTER_BYTES,
  parseLfsPointer,
} from "./lfs-pointer.ts"
export { systemCode } from "./local/errors.ts"
export { openRegularFileSync } from "./regular-file.ts"
export { type ChangeFile, undoOnError } from "./undo-on-error.ts"
