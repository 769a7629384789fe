import type { VisibleWorkspaces } from "@assay/registry"
import { AssayError } from "@assay/schemas"
import { includesRole, roleIn, type Caller, type Role } from "./grant.ts"

/**
 * Checks that `caller` has at least `role` in `workspace`.
 * @throws `not_found` if the caller may not see the workspace; `forbidden` if it has a weaker role there
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

/** Checks that `caller` has `role` in all workspaces, for resources that belong to no workspace. @throws `forbidden` */
export function requireRoleEverywhere(caller: Caller, role: Role): void {
  const held = roleIn(caller, "*")
  if (held === undefined || !includesRole(held, role)) {
    throw new AssayError(
      "forbidden",
      `This needs the role ${role} in all workspaces (*). Ask for a token with that grant.`,
    )
  }
}

/** Returns the workspaces whose records `caller` may see. */
export function visibleWorkspaces(caller: Caller): VisibleWorkspaces {
  return caller.grants.some(({ workspace }) => workspace === "*")
    ? "all"
    : caller.grants.map(({ workspace }) => workspace)
}
