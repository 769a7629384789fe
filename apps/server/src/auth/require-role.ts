import type { VisibleWorkspaces } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { includesRole, roleIn, type Caller, type Role } from "./grant.ts"

/**
 * Passes where `caller` has at least `role` in `workspace`. What the caller may not see is answered as if it were not
 * there; what it may see and not do is forbidden.
 * @throws `not_found`, `forbidden`
 */
export function requireRole(caller: Caller, workspace: string, role: Role): void {
  const held = roleIn(caller, workspace)
  if (held === undefined) {
    throw new AssayError("not_found", `Workspace '${workspace}' not found`, { context: { workspace } })
  }
  if (!includesRole(held, role)) {
    throw new AssayError(
      "forbidden",
      `This needs the role ${role} in workspace '${workspace}'; the token has ${held}. Ask for a token with that role.`,
    )
  }
}

/** For what belongs to no workspace: `role` in all of them. */
export function requireRoleEverywhere(caller: Caller, role: Role): void {
  const held = roleIn(caller, "*")
  if (held === undefined || !includesRole(held, role)) {
    throw new AssayError(
      "forbidden",
      `This needs the role ${role} in all workspaces (*). Ask for a token with that grant.`,
    )
  }
}

/** The workspaces whose records `caller` may see. */
export function visibleWorkspaces(caller: Caller): VisibleWorkspaces {
  return caller.grants.some(({ workspace }) => workspace === "*")
    ? "all"
    : caller.grants.map(({ workspace }) => workspace)
}
