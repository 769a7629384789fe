import type { Fileset, Pagination } from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces } from "../../records/queries.ts"

/** A removed fileset that can be restored. Times are milliseconds since 1970. */
export interface TrashItem {
  /** The id of the fileset. */
  readonly id: string
  readonly workspace: string
  readonly name: string
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
  /** Only filesets that had this name. */
  readonly name?: string | undefined
}

/** Removed filesets that can be restored, until their time is over. */
export interface FilesetTrash {
  /** @throws `not_found` if there is no such workspace */
  list(workspace: string | undefined, query: TrashQuery, visible: VisibleWorkspaces): Promise<TrashPage>
  /**
   * Makes a removed fileset again, with its id, its files and their history.
   * @param name the name that it gets. Default: the one that it had
   * @throws `not_found`; `already_exists` if another fileset has the name; `storage_not_allowed`
   */
  restore(workspace: string, id: string, name?: string): Promise<Fileset>
  /** Deletes a removed fileset for good. @throws `not_found` */
  remove(workspace: string, id: string): Promise<TrashItem>
  /** Deletes all removed filesets of a workspace for good. Returns how many they were, and their known bytes. */
  empty(workspace: string): Promise<{ readonly filesets: number; readonly bytes: number }>
  /** Deletes those whose time is over. */
  sweep(): Promise<void>
}
