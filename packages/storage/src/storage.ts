import type { StorageType } from "@assay/schemas"
import type { ByteRange } from "./byte-range.ts"
import type { FilePath } from "./file-path.ts"

/** What an adapter can do, as data: read by users, by routes and by the contract suite alike. */
export interface StorageCapabilities {
  readonly write: boolean
  readonly delete: boolean
  readonly rangedRead: boolean
  /**
   * `ifMatch` and `ifNoneMatch` on writes. Of `objstore` it depends on the server, which is tried at the first such write:
   * one that has no conditions, or overlooks them, makes that write `unsupported`.
   */
  readonly conditionalWrite: boolean
  /** The SHA-256 of what was written is known without reading the file. */
  readonly checksums: boolean
  /** Reads are pinned to a resolved revision or version. */
  readonly revisions: boolean
}

/** One file as its storage knows it. */
export interface StoredFile {
  readonly path: FilePath
  readonly size: number
  /** Strong, with its quotes: changes exactly when the content changes. Null where it can't be told without reading. */
  readonly etag: string | null
  /** Lower-case hex. Null where it can't be told without reading. */
  readonly sha256: string | null
  /** Milliseconds since 1970, UTC. Null where the backend has no time. */
  readonly updatedAt: number | null
}

export interface ReadOptions {
  /** The part to read; the whole file when absent. An end past the file is clamped. */
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when the first byte has come: what keeps the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
  /**
   * SHA-256 of the file, if whoever reads all of it knows what was written. A local storage verifies the bytes with it
   * like with a digest of its own; others verify what they know themselves.
   */
  readonly sha256?: string | undefined
}

export interface ReadResult {
  readonly file: StoredFile
  /** First and last byte of `bytes` within the file, both included; absent when the whole file is read. */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  /** Pieces of at most `read_chunk_size` bytes. Must be read to the end, returned from, or aborted. */
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * Gives a piece back: its memory holds a later one then. Nobody has to; who does so keeps the memory of a long read at
   * two pieces, and must have no more use for the bytes.
   */
  readonly release?: ((piece: Uint8Array) => void) | undefined
}

export interface WriteOptions {
  /** Replace only the file that has this ETag; `*`: any file that is there. */
  readonly ifMatch?: string | undefined
  /** `*`: create only. */
  readonly ifNoneMatch?: "*" | undefined
  /** SHA-256 that the bytes must have, lower-case hex. */
  readonly sha256?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when the backend shows that it goes on: what keeps the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
}

export interface ListOptions {
  /** The file `prefix` itself and everything below the folder `prefix`; a trailing slash means the folder alone. */
  readonly prefix?: string | undefined
  /** List only paths after this one, in code-point order. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when a whole page has come: what keeps the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
}

/**
 * Files by path, wherever they are. The five methods are all that an adapter writes; what callers like to have besides
 * is written once over these five. Every method throws `AssayError` alone, or the reason of an aborted signal; what an
 * adapter can't do is `unsupported` or `method_not_allowed`, never silently skipped.
 */
export interface Storage {
  readonly type: StorageType
  readonly capabilities: StorageCapabilities
  /** @throws `not_found` for what is missing and for a folder */
  stat(path: FilePath, options?: { readonly signal?: AbortSignal | undefined }): Promise<StoredFile>
  /** Every file in code-point order of its path; paging is hidden. */
  list(options?: ListOptions): AsyncIterable<StoredFile>
  /** @throws `not_found`, `range_not_satisfiable`; while reading: `storage_changed`, `upstream_failed` */
  read(path: FilePath, options?: ReadOptions): Promise<ReadResult>
  /**
   * All of `bytes` or nothing: readers see the old file or the new one, whole. A piece belongs to the storage once it
   * is given: its source must not fill it again. An error of the source comes back as it was thrown.
   * @throws `precondition_failed`, `checksum_mismatch`, `path_conflict`, `disk_full`, `method_not_allowed`
   */
  write(path: FilePath, bytes: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<StoredFile>
  /** Removes the file; that it is missing already is no error. */
  delete(path: FilePath, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
}
