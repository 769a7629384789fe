import type { FileInfo, FileList, Fileset } from "@assay/schemas"
import type {
  DeleteOptions,
  FilePath,
  ListOptions,
  ReadOptions,
  ReadResult,
  Storage,
  StoredFile,
  WriteOptions,
} from "@assay/storage"
import type { Abortable } from "@assay/database"
import type { FileListing } from "./share-listings.ts"

/** For long changes: in the meantime a fileset can be renamed, and another one can get its name. */
export interface MeantFileset {
  /** The id of the fileset to be changed. If another fileset has the name now, the change fails with `not_found`. */
  readonly filesetId?: string | undefined
}

export interface FileListQuery extends Abortable {
  readonly path?: string | undefined
  readonly limit?: number | undefined
  readonly page_token?: string | undefined
  /** False: only what is directly in the folder `path`. Default true. */
  readonly recursive?: boolean
  /** Only files whose path has this text, whatever its case. */
  readonly contains?: string | undefined
  /** Whether to return the cache status of each file. Default false: `cache_status` is null. */
  readonly include_cache_status?: boolean
}

/** A fileset that was found and opened once, for all that a request writes to it. */
export interface WritableFileset extends Pick<Fileset, "id" | "workspace" | "metadata"> {
  /** @throws `not_found` if the fileset was removed in the meantime */
  write(path: FilePath, bytes: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<FileInfo>
}

/**
 * Files of filesets, by workspace, fileset and path. The caller parses the path.
 * @throws `secret_not_readable`, from every method, if a secret of the fileset's storage is missing or may not be used
 */
export interface Files {
  /** With `recursive: false` or `contains`, a page has at most 1,000 entries, and can have fewer before the last page. */
  list(workspace: string, fileset: string, query: FileListQuery): Promise<FileList>
  /** Yields the JSON of the files of all levels in batches, of which a few are in memory at a time. Returns the token of the next page. */
  stream(workspace: string, fileset: string, query: FileListQuery): FileListing
  /** Yields files in the order of their paths as they are read, for a caller that stops when it has enough. */
  walk(workspace: string, fileset: string, options: ListOptions): AsyncIterable<StoredFile>
  stat(workspace: string, fileset: string, path: FilePath, options?: Abortable): Promise<FileInfo>
  read(workspace: string, fileset: string, path: FilePath, options?: ReadOptions): Promise<ReadResult>
  write(
    workspace: string,
    fileset: string,
    path: FilePath,
    bytes: AsyncIterable<Uint8Array>,
    options?: WriteOptions & MeantFileset,
  ): Promise<FileInfo>
  /** @throws `not_found` if there is no such file */
  remove(workspace: string, fileset: string, path: FilePath, options?: DeleteOptions & MeantFileset): Promise<FileInfo>
  /** Opens a fileset to write files. @throws `not_found`; `method_not_allowed` if its storage is not writable */
  openWritable(workspace: string, fileset: string, options?: MeantFileset): Promise<WritableFileset>
  /** Opens the storage of a fileset with its secrets. */
  open(workspace: string, fileset: string): Promise<Storage>
}
