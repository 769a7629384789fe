import type { FileInfo, FileList } from "@assay/schemas"
import type { ReadOptions, ReadResult, Storage, WriteOptions } from "@assay/storage"
import type { Abortable } from "../records/queries.ts"
import type { FileListing } from "./share-listings.ts"

/** For long changes: in the meantime a fileset can be renamed, and another one can get its name. */
interface MeantFileset {
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

/**
 * Files of filesets, by workspace, fileset, and path as text, which is parsed here. Everything below gets parsed paths.
 * @throws `secret_not_readable`, from every method, if a secret of the fileset's storage is missing or may not be used
 */
export interface Files {
  /** With `recursive: false` or `contains`, a page has at most 1,000 entries, and can have fewer before the last page. */
  list(workspace: string, fileset: string, query: FileListQuery): Promise<FileList>
  /** Yields the JSON of the files of all levels in batches, of which a few are in memory at a time. Returns the token of the next page. */
  stream(workspace: string, fileset: string, query: FileListQuery): FileListing
  stat(workspace: string, fileset: string, path: string, options?: Abortable): Promise<FileInfo>
  read(workspace: string, fileset: string, path: string, options?: ReadOptions): Promise<ReadResult>
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: WriteOptions & MeantFileset,
  ): Promise<FileInfo>
  /** @throws `not_found` if there is no such file */
  remove(workspace: string, fileset: string, path: string, options?: Abortable & MeantFileset): Promise<FileInfo>
  /** Checks that the fileset exists and its storage is writable. @throws `not_found`, `method_not_allowed` */
  checkWritable(workspace: string, fileset: string): Promise<void>
  /** Opens the storage of a fileset with its secrets. */
  open(workspace: string, fileset: string): Promise<Storage>
}
