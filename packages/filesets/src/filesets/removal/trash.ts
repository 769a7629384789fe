import type { Fileset, Pagination } from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces } from "@assay/database"

/** A removed fileset or job that can be restored. Times are milliseconds since 1970. */
export interface TrashItem {
  /** The id of the fileset or job. */
  readonly id: string
  readonly kind: "fileset" | "job"
  readonly workspace: string
  /** The name that it had. Of a job, its id. */
  readonly name: string
  readonly description: string
  readonly removedAt: number
  /** Empty: nobody signed in. */
  readonly removedBy: string
  /** Then it is deleted. */
  readonly removedUntil: number
  /** The bytes that its deletion frees. Null: not known. */
  readonly bytes: number | null
}

export interface TrashPage {
  /** Those that were removed last come first. */
  readonly data: readonly TrashItem[]
  readonly pagination: Pagination
  /** Known bytes of all of them, not only of this page. */
  readonly bytes: number
}

export interface TrashQuery extends PageQuery {
  /** Only what had this name. */
  readonly name?: string | undefined
}

/** Removed filesets and jobs that can be restored, until their time is over. `Jobs` restores the jobs. */
export interface FilesetTrash {
  /** @throws `not_found` if there is no such workspace */
  list(workspace: string | undefined, query: TrashQuery, visible: VisibleWorkspaces): Promise<TrashPage>
  /** Returns whether an entry is of a fileset or of a job. @throws `not_found` */
  kindOf(workspace: string, id: string): Promise<TrashItem["kind"]>
  /**
   * Makes a removed fileset again, with its id, its files and their history.
   * @param name the name that it gets. Default: the one that it had
   * @throws `not_found`; `already_exists` if another fileset has the name; `storage_not_allowed`
   */
  restore(workspace: string, id: string, name?: string): Promise<Fileset>
  /** Deletes an entry for good. Of a job, the record and the rows stay until `Jobs.listDiscarded` has led to their removal. @throws `not_found` */
  remove(workspace: string, id: string): Promise<TrashItem>
  /** Deletes all entries of a workspace for good. Returns how many they were, and their known bytes. */
  empty(workspace: string): Promise<{ readonly filesets: number; readonly jobs: number; readonly bytes: number }>
  /** Deletes the filesets whose time is over. */
  sweep(): Promise<void>
}
