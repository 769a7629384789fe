import type { RevisionFile } from "./revision-file.ts"
import { AssayError } from "@assay/schemas"
import type { FilePath, ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import type { Abortable } from "@assay/database"
import { findFile, type OrderedFiles } from "./ordered-files.ts"

/** A revision without its files. */
export interface Commit {
  /**
   * 40 hex digits over the paths, sizes and versions of all files. It changes if and only if one of them changes. If the files return to an
   * earlier state, the id is also over the commit before, because each commit has its own id.
   */
  readonly commit: string
  /** When the revision was first seen; milliseconds since 1970, UTC. */
  readonly createdAt: number
  readonly title: string
}

/** All files of a fileset at one time. */
export interface Revision extends Commit {
  readonly files: OrderedFiles
  get(path: string): Promise<RevisionFile | undefined>
}

/** A file at a revision. Its ETag is the digest, in quotes. */
export interface RevisionFileInfo {
  readonly commit: string
  readonly file: StoredFile & { readonly sha256: string; readonly etag: string }
}

/** Names the revision of a file. */
export interface NamedRevision {
  /** Default: the present revision. */
  readonly revision?: string | undefined
}

/**
 * Filesets by revision: the present one (`undefined`), or one of their last 100 commits. Old commits keep no bytes: they
 * serve the files that have not changed since.
 * @throws `not_found`; its context names what is missing: a `path` (with the `commit`), a `revision`, or the fileset
 */
export interface Revisions {
  /** Returns a revision. Changes by others than this server are seen within a second. */
  get(workspace: string, fileset: string, revision?: string): Promise<Revision>
  /**
   * Lists the files now and returns the present revision, for decisions that must not rest on an earlier listing.
   * @param title the title of the revision, if it is new
   */
  refresh(workspace: string, fileset: string, title?: string): Promise<Revision>
  /** Returns the last 100 commits, newest first. */
  list(workspace: string, fileset: string): Promise<readonly Commit[]>
  /** Always asks the storage. @throws `unavailable` while the digest of a large file is still being computed */
  stat(
    workspace: string,
    fileset: string,
    path: FilePath,
    options?: Abortable & NamedRevision,
  ): Promise<RevisionFileInfo>
  read(
    workspace: string,
    fileset: string,
    path: FilePath,
    options?: ReadOptions & NamedRevision,
  ): Promise<Omit<ReadResult, "file"> & RevisionFileInfo>
  /**
   * Returns the SHA-256 of files, in their order; null for a file that has changed since. If the storage does not provide
   * a digest, the file is read once and the digest is stored.
   * @throws `unavailable` while files are still being read
   */
  digests(workspace: string, fileset: string, files: readonly RevisionFile[]): Promise<readonly (string | null)[]>
  /**
   * Finds the present files with these contents, as far as their digests are known. A content that no file has is absent.
   * Looks at all files once, for any number of contents.
   */
  find(
    workspace: string,
    fileset: string,
    sha256s: readonly string[],
  ): Promise<ReadonlyMap<string, readonly RevisionFile[]>>
  /** Returns whether a present file has this content, or a former version whose bytes are kept. */
  hasContent(workspace: string, fileset: string, sha256: string): Promise<boolean>
  /** Reads this content from a file that has it, or from a former version. @throws `not_found` if neither has it */
  readContent(
    workspace: string,
    fileset: string,
    sha256: string,
    options?: ReadOptions,
  ): Promise<Omit<ReadResult, "file">>
}

/**
 * Returns a stored file as a revision holds it. The version is the ETag, which is the same in listings and reads. A digest
 * would not do: it can become known later. Without an ETag, the version is the modification time.
 */
export function revisionFileOf({ path, size, etag, sha256, updatedAt }: StoredFile): RevisionFile {
  return { path, size, version: etag ?? String(updatedAt ?? ""), sha256 }
}

export function revisionOf(commit: Commit, files: OrderedFiles): Revision {
  return { ...commit, files, get: (path) => findFile(files, path) }
}

interface FilesetName {
  readonly workspace: string
  readonly name: string
}

/** Routes of other protocols read from the context what is missing: here a `path` at a `commit`. */
export function fileNotFoundAt({ workspace, name }: FilesetName, path: string, commit: string): AssayError {
  const message = `File '${path}' not found in fileset '${workspace}/${name}' at commit ${commit}`
  return new AssayError("not_found", message, { context: { workspace, fileset: name, path, commit } })
}

/** Returns an error whose context names a `revision`. */
export function revisionNotFound({ workspace, name }: FilesetName, revision: string): AssayError {
  const message = `Revision '${revision}' not found in fileset '${workspace}/${name}': name the present one (main), one of its last 100 commits, or a change, a tag or a time of its history.`
  return new AssayError("not_found", message, { context: { workspace, fileset: name, revision } })
}

/** Returns the error for a digest that takes longer than clients wait. They try again. */
export function stillReading({ workspace, name }: FilesetName, path: string): AssayError {
  const message = `The SHA-256 of '${path}' in fileset '${workspace}/${name}' is being computed for the first time; try again in a moment.`
  return new AssayError("unavailable", message, { context: { workspace, fileset: name, path, retryAfter: 5 } })
}

export function changingFile({ workspace, name }: FilesetName, path: string): AssayError {
  const message = `'${path}' in fileset '${workspace}/${name}' is replaced faster than it can be read; try again.`
  return new AssayError("storage_changed", message, { context: { workspace, fileset: name } })
}
