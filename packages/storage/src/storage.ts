import type { StorageType } from "@assay/schemas"
import type { ByteRange } from "./byte-range.ts"
import type { FileChange, KeptBytes } from "./file-history.ts"
import type { FilePath } from "./file-path.ts"
import type { ListedFiles } from "./local/listing/listed-files.ts"

/** The capabilities of an adapter as data, used by callers, by routes and by the contract suite. */
export interface StorageCapabilities {
  readonly write: boolean
  readonly delete: boolean
  readonly rangedRead: boolean
  /**
   * `ifMatch` and `ifNoneMatch` on writes. For `objstore` it depends on the server, which is tested at the first such
   * write. If the server lacks or ignores conditions, that write is `unsupported`.
   */
  readonly conditionalWrite: boolean
  /** Whether the SHA-256 of a written file is known without reading it. */
  readonly checksums: boolean
  /** Whether reads are fixed to a resolved revision or version. */
  readonly revisions: boolean
}

/** One file, as its storage describes it. */
export interface StoredFile {
  readonly path: FilePath
  readonly size: number
  /**
   * Strong ETag with quotes: it changes exactly when the content changes. Null if it is unknown without reading the
   * file.
   */
  readonly etag: string | null
  /** Lower-case hex. Null if it is unknown without reading the file. */
  readonly sha256: string | null
  /** Milliseconds since 1970, UTC. Null if the backend stores no time. */
  readonly updatedAt: number | null
}

export interface ReadOptions {
  /** The part to read. Default: the whole file. An end past the file is clamped. */
  readonly range?: ByteRange | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when the first byte arrives. It resets the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
  /**
   * SHA-256 of the file, if the caller reads all of it and knows it. A local storage verifies the bytes with it as with
   * its own digest. Other storages verify only what they know themselves.
   */
  readonly sha256?: string | undefined
}

export interface ReadResult {
  readonly file: StoredFile
  /** First and last byte of `bytes` within the file, both included. Absent if the whole file is read. */
  readonly range?: { readonly start: number; readonly end: number } | undefined
  /** Pieces of at most `read_chunk_size` bytes. The caller must read to the end, call `return`, or abort. */
  readonly bytes: AsyncIterable<Uint8Array>
  /**
   * Gives a piece back, so that its memory can hold a later one. Optional. It keeps the memory of a long read at two
   * pieces. The caller must not use the bytes afterwards.
   */
  readonly release?: ((piece: Uint8Array) => void) | undefined
}

export interface WriteOptions {
  /** Replace only the file with this ETag. `*`: any existing file. */
  readonly ifMatch?: string | undefined
  /** `*`: create only if there is no file. */
  readonly ifNoneMatch?: "*" | undefined
  /** Expected SHA-256 of the bytes, lower-case hex. */
  readonly sha256?: string | undefined
  /** Expected number of bytes. It only decides how they are written. */
  readonly size?: number | undefined
  /**
   * Whether nobody else uses the memory of the pieces, also not for another piece. A local folder then frees each piece as soon as it is
   * written. Otherwise the garbage collector does it, which takes as much time as the digest. Default false.
   */
  readonly disposable?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when the backend makes progress. It resets the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
  /**
   * A file with exactly the bytes of this write, to which nobody writes any more. A local folder on the same file system takes it as the
   * new file and does not read `bytes`. The file then has both names. Every other storage ignores it.
   */
  readonly grown?: GrownFile | undefined
  /** The caller who changes the file, for its history. */
  readonly change?: FileChange | undefined
}

export interface DeleteOptions {
  readonly signal?: AbortSignal | undefined
  /** The caller who deletes the file, for its history. */
  readonly change?: FileChange | undefined
}

/** A file that `grow` wrote to its end. */
export interface GrownFile {
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
  /** Its absolute path on this machine. */
  readonly location: string
  /** Whether the new file gets the present time. Default: it keeps the time of its bytes. */
  readonly isTouched?: boolean | undefined
}

export interface GrowOptions extends Pick<WriteOptions, "disposable"> {
  /** Number of bytes after which they are written to disk, for `onDurable`. As many can arrive meanwhile. */
  readonly every: number
  /** Whether `onDurable` is called soon although fewer bytes arrived. */
  readonly isDue: () => boolean
  /** Called when a power failure can't undo the first `size` bytes, and for the last time with all bytes. An error of it ends the write. */
  readonly onDurable: (size: number) => Promise<void>
}

export interface ListOptions {
  /** List the file `prefix` and everything below the folder `prefix`. With a trailing slash, only the folder. */
  readonly prefix?: string | undefined
  /** List only paths after this one, in code-point order. */
  readonly after?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called by adapters of remote backends when a whole page has arrived. It resets the deadline of the operation. */
  readonly onProgress?: (() => void) | undefined
  /** The findings of the last listing of all files, and those of this one for the next. Only a local folder uses them. */
  readonly listed?: ListedFiles<StoredFile> | undefined
}

/** A folder of a level. */
export interface StoredFolder {
  /** With a slash at its end. */
  readonly path: string
}

export interface LevelOptions extends Omit<ListOptions, "prefix" | "listed"> {
  /** Empty for the root, or a path with a slash at its end. `after` is a file or a folder of it. */
  readonly folder: string
  /** Number of entries that the caller expects to read. A local folder keeps about as many names in memory at a time. Default: all. */
  readonly expected?: number | undefined
}

/** The file that was at a path, or that there was none. */
export interface KeptFile {
  /** Notes that a write with this digest has happened, which `restore` then undoes. */
  note(sha256: string): Promise<void>
  /** Undoes the write, or a delete: the path leads to the former file again, or to none. Does nothing if another write came after that one. */
  restore(): Promise<void>
  /** Frees what is kept. Never fails. */
  drop(): Promise<void>
}

/**
 * Files by path, wherever they are stored. An adapter implements only these five methods, and `grow` and `keep` if it can. Helpers for callers
 * are written once on top of them. Every method throws only `AssayError` or the reason of an aborted signal. A call that an
 * adapter does not support fails with `unsupported` or `method_not_allowed`, and is never ignored.
 */
export interface Storage {
  readonly type: StorageType
  readonly capabilities: StorageCapabilities
  /** @throws `not_found` for a missing file and for a folder */
  stat(path: FilePath, options?: { readonly signal?: AbortSignal | undefined }): Promise<StoredFile>
  /** Lists every file in code-point order of its path. Paging is hidden. */
  list(options?: ListOptions): AsyncIterable<StoredFile>
  /**
   * Lists the files of one folder and names its folders, in code-point order, without looking into them: a folder of a local disk can be
   * empty. Optional: a backend that lists only all files has none.
   */
  readonly level?: (options: LevelOptions) => AsyncIterable<StoredFile | StoredFolder>
  /** @throws `not_found`, `range_not_satisfiable`; while reading: `storage_changed`, `upstream_failed` */
  read(path: FilePath, options?: ReadOptions): Promise<ReadResult>
  /**
   * Writes all of `bytes` or nothing: readers see the complete old or new file. The storage owns each piece that it
   * receives, so the source must not reuse its memory. An error of the source is rethrown unchanged.
   * @throws `precondition_failed`, `checksum_mismatch`, `path_conflict`, `disk_full`, `method_not_allowed`
   */
  write(path: FilePath, bytes: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<StoredFile>
  /** Removes the file. A missing file is not an error. */
  delete(path: FilePath, options?: DeleteOptions): Promise<void>
  /**
   * Writes a new file that has its name from the beginning, and grows. After an error, the bytes of the last `onDurable` are still there.
   * Only a local folder can do this.
   */
  readonly grow?: (path: FilePath, bytes: AsyncIterable<Uint8Array>, options: GrowOptions) => Promise<GrownFile>
  /** Keeps the file that is now at a path, without a copy of its bytes. Returns undefined if the backend has no hard links. */
  readonly keep?: (path: FilePath, change?: FileChange) => Promise<KeptFile | undefined>
  /** The kept bytes of replaced and deleted files. Undefined if the adapter can't keep any. */
  readonly kept?: KeptBytes | undefined
}

/** The capabilities of each adapter, as far as its type decides them. */
export const STORAGE_CAPABILITIES = {
  local: { write: true, delete: true, rangedRead: true, conditionalWrite: true, checksums: true, revisions: false },
  catalog: {
    write: false,
    delete: false,
    rangedRead: true,
    conditionalWrite: false,
    checksums: false,
    revisions: true,
  },
  hub: { write: false, delete: false, rangedRead: true, conditionalWrite: false, checksums: false, revisions: true },
  objstore: { write: true, delete: true, rangedRead: true, conditionalWrite: true, checksums: false, revisions: false },
} as const satisfies Record<StorageType, StorageCapabilities>
