import type { JobGrants } from "@assay/job-store"
import { AssayError } from "@assay/schemas"

/** The rights of a job or a caller outside of its own workspace. */
export interface JobRights {
  /** Returns whether it may read records and files of `workspace`. */
  readonly sees: (workspace: string) => boolean
  /** Returns whether it may write there, and use secrets of `workspace` by reference. */
  readonly edits: (workspace: string) => boolean
}

/** A workspace, and the rights in all others. */
export interface JobScopeRights {
  /** The workspace of the job. Names without a workspace are names in it. */
  readonly workspace: string
  readonly rights: JobRights
}

/** Returns the rights of a running job. Its launch has checked what it names; it may use secrets of the granted workspaces. */
export function rightsOfGrants(grants: JobGrants): JobRights {
  return { sees: () => true, edits: (workspace) => grants === "all" || grants.includes(workspace) }
}

/** Fails like a workspace that does not exist if the job may not see it. @throws `not_found` */
export function checkSeen(workspace: string, { workspace: ownWorkspace, rights }: JobScopeRights): void {
  if (workspace === ownWorkspace || rights.sees(workspace)) return
  throw new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
}

/** @throws `forbidden` if results may not be written to `workspace` */
export function checkHoldsResults(workspace: string, ownWorkspace: string, edits: JobRights["edits"]): void {
  if (workspace === ownWorkspace || edits(workspace)) return
  const message = `Results can't be written to workspace '${workspace}': this needs the role editor there.`
  throw new AssayError("forbidden", message, { context: { workspace } })
}
