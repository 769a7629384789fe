import type {
  CreateWorkspace,
  ListingQuery,
  UpdateWorkspace,
  Workspace,
  WorkspacePage,
  WORKSPACE_LISTING,
} from "@assay/schemas"
import type { FilteredQuery, VisibleWorkspaces } from "@assay/database"

export interface Workspaces {
  create(body: CreateWorkspace): Promise<Workspace>
  list(query: WorkspaceQuery, visible: VisibleWorkspaces): Promise<WorkspacePage>
  get(name: string): Promise<Workspace>
  update(name: string, body: UpdateWorkspace): Promise<Workspace>
  /**
   * Removes a workspace with its projects and configurations.
   * @throws `in_use` while it contains filesets, models, secrets or evaluation jobs, unless `cascade`
   */
  remove(name: string, options: { readonly cascade: boolean }): Promise<Workspace>
}

export interface WorkspaceQuery extends FilteredQuery {
  readonly where?: ListingQuery<(typeof WORKSPACE_LISTING.filter)[number], (typeof WORKSPACE_LISTING.search)[number]>
}
