import type { JobGrants } from "@assay/registry"
import { includesRole, roleIn, type Caller } from "../../auth/grant.ts"

/** What a job may reach outside of its own workspace. */
export interface EnvironmentRights {
  /** Whether it may read records and files of `workspace`. */
  readonly sees: (workspace: string) => boolean
  /** Whether it may write there, and use secrets of `workspace` by reference. */
  readonly edits: (workspace: string) => boolean
}

/** Those of whoever launches a job: references are held against them. */
export function rightsOfCaller(caller: Caller): EnvironmentRights {
  return {
    sees: (workspace) => roleIn(caller, workspace) !== undefined,
    edits: (workspace) => isEditor(caller, workspace),
  }
}

/** What a job is given at its launch, so that it runs with the rights of whoever launched it, and nobody has to be there. */
export function grantsOf(caller: Caller): JobGrants {
  if (isEditor(caller, "*")) return "all"
  const workspaces = new Set(caller.grants.map(({ workspace }) => workspace))
  return [...workspaces].filter((workspace) => isEditor(caller, workspace)).toSorted()
}

/** Those of a running job. What it names was seen at its launch; secrets are used where that was granted. */
export function rightsOfGrants(grants: JobGrants): EnvironmentRights {
  return { sees: () => true, edits: (workspace) => grants === "all" || grants.includes(workspace) }
}

function isEditor(caller: Caller, workspace: string): boolean {
  const held = roleIn(caller, workspace)
  return held !== undefined && includesRole(held, "editor")
}
