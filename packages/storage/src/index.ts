export type { ByteRange } from "./byte-range.ts"
export { compareCodePoints } from "./compare-code-points.ts"
export type { DigestIndex, FileVersion } from "./digest-index.ts"
export { MAX_PATH_BYTES, MAX_SEGMENT_BYTES, isFilePath, parseFilePath, type FilePath } from "./file-path.ts"
export type { FarContext } from "./far/far-context.ts"
export { formatRange } from "./format-range.ts"
export { createTransport, type TransportOptions } from "./http/create-transport.ts"
export type { HttpHeaders, HttpRequest, HttpResponse, Transport } from "./http/transport.ts"
export { openLocalStorage, type LocalStorageOptions } from "./local/open.ts"
export { sweepTemporaryFiles, type SweepOptions } from "./local/sweep-temporary-files.ts"
export { createMemoryDigestIndex } from "./memory-digest-index.ts"
export { openStorage, type OpenedStorage, type StorageContext } from "./open-storage.ts"
export { parseRangeHeader } from "./parse-range-header.ts"
export { createPathLocks, type PathLocks } from "./path-locks.ts"
export { quotePath } from "./quote-path.ts"
export { resolveRange, type ResolvedRange } from "./resolve-range.ts"
export { isBuiltStorageType, STORAGE_CAPABILITIES, type BuiltStorageType } from "./storage-capabilities.ts"
export type {
  ListOptions,
  ReadOptions,
  ReadResult,
  Storage,
  StorageCapabilities,
  StoredFile,
  WriteOptions,
} from "./storage.ts"
