import type {
  CreateFileset,
  Fileset,
  RemovedFileset,
  FilesetPage,
  FilesetSort,
  FilesetUsage,
  Filter,
  UpdateFileset,
} from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces, Abortable } from "@assay/database"

export interface FilesetQuery extends PageQuery {
  readonly sort: FilesetSort
  readonly filter?: Filter | undefined
}

export interface Filesets {
  /**
   * Makes a fileset, after a check that the storage that it names can be used.
   * @throws `already_exists`, `secret_not_readable`, `storage_not_allowed`, `storage_not_usable`, `host_not_allowed`,
   * `upstream_failed`; `unavailable` while the files of a removed fileset with the name are being deleted
   */
  create(workspace: string, body: CreateFileset, options?: Abortable): Promise<Fileset>
  /** Lists the filesets of a workspace. Undefined: of all visible workspaces. */
  list(workspace: string | undefined, query: FilesetQuery, visible: VisibleWorkspaces): Promise<FilesetPage>
  get(workspace: string, name: string): Promise<Fileset>
  /** Returns a fileset by its id, which a new name does not change. Undefined: it was deleted. */
  find(id: string): Promise<Fileset | undefined>
  /** Returns the numbers of files and bytes by id, as last known, in one query. A fileset whose numbers are not known is absent. */
  usage(filesets: readonly Pick<Fileset, "id">[]): Promise<ReadonlyMap<string, FilesetUsage>>
  update(workspace: string, name: string, body: UpdateFileset): Promise<Fileset>
  /**
   * Removes the record, and the files if they are on the server's default storage. Until `restorable_until` the trash keeps them.
   * `permanent`: they are deleted at once.
   */
  remove(workspace: string, name: string, options?: { readonly permanent?: boolean }): Promise<RemovedFileset>
}
