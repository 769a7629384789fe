import type { FilePath, Storage } from "@assay/storage"
import type { FileDifference } from "./compare-states.ts"

/** A change of a fileset: what one author did in a row, or a commit. */
export interface HistoryChange {
  /** Names the state after the change: the id of the commit, or of the change. */
  readonly revision: string
  /** Milliseconds since 1970, UTC. */
  readonly beganAt: number
  readonly endedAt: number
  /** Empty: nobody signed in. */
  readonly author: string
  readonly title: string
  readonly added: number
  readonly replaced: number
  readonly deleted: number
  readonly isCommit: boolean
}

/** A version of a file that a change ended. */
export interface EndedVersion {
  readonly path: FilePath
  readonly size: number
  readonly sha256: string | null
  readonly endedAt: number
  readonly isDeleted: boolean
  /** The revision that ended it. */
  readonly revision: string
  readonly author: string
  /** Why its bytes are gone. Undefined: they are kept. */
  readonly gone: string | undefined
}

export interface HistoryQuery {
  readonly limit: number
  /** Only changes before this page token. */
  readonly before?: string | undefined
  /** Only versions of this file, or of the files below this folder. */
  readonly path?: FilePath | undefined
}

export interface HistoryPage {
  /** Newest first. */
  readonly changes: readonly HistoryChange[]
  /** With `path`: the versions that ended, newest first. */
  readonly versions: readonly EndedVersion[]
  readonly next: string | undefined
  /** The totals that the fileset keeps. */
  readonly kept: { readonly files: number; readonly bytes: number }
}

export interface Difference {
  readonly from: string
  readonly to: string
  readonly files: AsyncIterable<FileDifference>
}

/** The files of a revision. */
export interface OpenedState {
  readonly revision: string
  /** Can't be written. @throws `revision_gone` when bytes that are gone are read */
  readonly storage: Storage
}

export interface RestoreOptions {
  readonly revision: string
  /** Restores only this file, or the files below this folder. */
  readonly path?: FilePath | undefined
  /** Whether only to say what would change. */
  readonly isDryRun: boolean
  readonly signal?: AbortSignal | undefined
}

export interface RestoreReport {
  /** The state that was restored. */
  readonly revision: string
  /** The revision after the change. Undefined: nothing changed. */
  readonly change: string | undefined
  readonly written: readonly { readonly path: FilePath; readonly size: number }[]
  readonly deleted: readonly FilePath[]
}

export interface Tag {
  readonly name: string
  readonly commit: string
  readonly message: string
}

/**
 * The history of filesets for a caller. A revision is the id of a commit or of a change, the first seven or more of its digits, a tag, or a
 * time such as `2026-11-30T18:00:00Z`.
 * @throws `not_found`; its context names a `revision`, or the fileset
 */
export interface History {
  list(workspace: string, fileset: string, query: HistoryQuery): Promise<HistoryPage>
  /** Compares two revisions. `to` undefined: the present files. */
  diff(
    workspace: string,
    fileset: string,
    query: { readonly from: string; readonly to?: string | undefined; readonly path?: FilePath | undefined },
  ): Promise<Difference>
  /** Opens the files of revisions for reading, in the order of their names. Undefined: the present files. */
  open(workspace: string, fileset: string, revisions: readonly (string | undefined)[]): Promise<readonly OpenedState[]>
  /**
   * Brings a state back with a new change.
   * @throws `revision_gone` if bytes are gone. It names the files, and nothing changes
   */
  restore(workspace: string, fileset: string, options: RestoreOptions): Promise<RestoreReport>
  /** Removes all kept bytes. */
  purge(workspace: string, fileset: string): Promise<{ readonly files: number; readonly bytes: number }>
  /** Names the commit that a change led to. */
  nameCommit(filesetId: string, change: string, commit: string): Promise<void>
  /** Returns the authors of commits, by commit, as far as they are on record. */
  authors(workspace: string, fileset: string, commits: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Removes all kept bytes and all commits but the newest and those with a tag. The newest one gets the title. */
  squash(workspace: string, fileset: string, title: string): Promise<void>
  listTags(workspace: string, fileset: string): Promise<readonly Tag[]>
  /** @throws `already_exists` */
  createTag(workspace: string, fileset: string, tag: Tag): Promise<void>
  /** @throws `not_found` */
  deleteTag(workspace: string, fileset: string, name: string): Promise<void>
}
