import type { ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import type { Abortable } from "../registry.ts"

/** A file in a revision. */
export interface RevisionFile {
  readonly path: string
  readonly size: number
  /** Differs from every other version of the file. */
  readonly version: string
  /** Lower-case hex. Null if the storage does not provide it; `Revisions.digests` computes it. */
  readonly sha256: string | null
}

/** A revision without its files. */
export interface Commit {
  /** 40 hex digits over the paths, sizes and versions of all files. It changes if and only if one of them changes. */
  readonly commit: string
  /** When the revision was first seen; milliseconds since 1970, UTC. */
  readonly createdAt: number
  readonly title: string
}

/** All files of a fileset at one time. */
export interface Revision extends Commit {
  /** In code-point order of their paths. */
  readonly files: readonly RevisionFile[]
  get(path: string): RevisionFile | undefined
}

/** A file at a revision. Its ETag is the digest, in quotes. */
export interface RevisionFileInfo {
  readonly commit: string
  readonly file: StoredFile & { readonly sha256: string; readonly etag: string }
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
    path: string,
    revision?: string,
    options?: Abortable,
  ): Promise<RevisionFileInfo>
  read(
    workspace: string,
    fileset: string,
    path: string,
    revision?: string,
    options?: ReadOptions,
  ): Promise<Omit<ReadResult, "file"> & RevisionFileInfo>
  /**
   * Returns the SHA-256 of files, in their order; null for a file that has changed since. If the storage does not provide
   * a digest, the file is read once and the digest is stored.
   * @throws `unavailable` while files are still being read
   */
  digests(workspace: string, fileset: string, files: readonly RevisionFile[]): Promise<readonly (string | null)[]>
  /** Finds the present files with this content, as far as their digests are known. */
  find(workspace: string, fileset: string, sha256: string): Promise<readonly RevisionFile[]>
}
