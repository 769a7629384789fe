import type { ReadOptions, ReadResult, StoredFile } from "@assay/storage"
import type { Abortable } from "../registry.ts"

/** A file as a tree tells of it. */
export interface TreeFile {
  readonly path: string
  readonly size: number
  /** Tells the file from every other version of it. */
  readonly version: string
  /** Lower-case hex; null where the storage can't tell it: `Trees.digests` does. */
  readonly sha256: string | null
}

/** A tree without its files. */
export interface Commit {
  /** 40 hex digits over the paths, sizes and versions of all files: the same exactly while none of them changes. */
  readonly commit: string
  /** When it was first seen; milliseconds since 1970, UTC. */
  readonly createdAt: number
  readonly title: string
}

/** All files of a fileset at one time. */
export interface Tree extends Commit {
  /** In code-point order of their paths. */
  readonly files: readonly TreeFile[]
  get(path: string): TreeFile | undefined
}

/** A file at a revision. Its ETag is the digest, in quotes. */
export interface TreeFileFacts {
  readonly commit: string
  readonly file: StoredFile & { readonly sha256: string; readonly etag: string }
}

/**
 * Filesets by revision: as they are now (`undefined`), or at one of their last 100 commits. Old commits keep no bytes:
 * they serve the files that are still the same.
 * @throws `not_found`, whose context tells what is missing: a `path` (with the `commit`), a `revision`, or the fileset
 */
export interface Trees {
  /** What others than this server change shows within a second. */
  get(workspace: string, fileset: string, revision?: string): Promise<Tree>
  /** As it is at this moment, for decisions that must not rest on what was seen before; `title` is for a new tree. */
  look(workspace: string, fileset: string, title?: string): Promise<Tree>
  /** The last 100, the newest first. */
  list(workspace: string, fileset: string): Promise<readonly Commit[]>
  /** Never from memory. @throws `unavailable` while the digest of a large file is still being computed */
  stat(workspace: string, fileset: string, path: string, revision?: string, options?: Abortable): Promise<TreeFileFacts>
  read(
    workspace: string,
    fileset: string,
    path: string,
    revision?: string,
    options?: ReadOptions,
  ): Promise<Omit<ReadResult, "file"> & TreeFileFacts>
  /**
   * SHA-256 of files, in their order; null for those of an old tree that are no longer the same. What the storage can't
   * tell is read once, and then remembered.
   * @throws `unavailable` while that goes on
   */
  digests(workspace: string, fileset: string, files: readonly TreeFile[]): Promise<readonly (string | null)[]>
  /** The files that have this content now, as far as digests are known. */
  find(workspace: string, fileset: string, sha256: string): Promise<readonly TreeFile[]>
}
