import { AssayError, ROLES, type Grant, type Role } from "@assay/schemas"
import type { SecretRights } from "@assay/filesets"
import type { VisibleWorkspaces } from "@assay/database"

/** The claims of the identity provider about a person or a program. */
export interface Person {
  /** The claim `sub`, which never changes. */
  readonly subject: string
  /** For people to read: the e-mail address, a user name or a name, else the subject. */
  readonly name: string
  /** Positions of the rules that the claims meet. */
  readonly rules: readonly number[]
  /** When the token ends that says this, in milliseconds since 1970. */
  readonly end: number
}

/** The sender of a request. Without authentication there is one caller, who may do everything. */
export interface Caller {
  /** Id of the token, or of a person whom the identity provider names (`user-…`); null without auth. */
  readonly id: string | null
  /** Name of the token or of the person; `local` without auth. */
  readonly name: string
  /** The claims of the identity provider. Absent for the holder of a token of this server. */
  readonly person?: Person
  readonly grants: readonly Readonly<Grant>[]
}

export const EVERYONE: Caller = { id: null, name: "local", grants: [{ workspace: "*", role: "admin" }] }

/** The sender of a request that was not authenticated or was refused. */
export const NOBODY: Caller = { id: null, name: "", grants: [] }

/** Returns the strongest role that `caller` has in `workspace`, if any. */
export function roleIn(caller: Caller, workspace: string): Role | undefined {
  let best = -1
  for (const grant of caller.grants) {
    if (grant.workspace === workspace || grant.workspace === "*") best = Math.max(best, ROLES.indexOf(grant.role))
  }
  return ROLES[best]
}

export function includesRole(role: Role, wanted: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(wanted)
}

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

/** Checks that `caller` has `role` in at least one workspace. @throws `forbidden` */
export function requireRoleAnywhere(caller: Caller, role: Role): void {
  if (caller.grants.some((grant) => includesRole(grant.role, role))) return
  throw new AssayError("forbidden", `This needs the role ${role} in a workspace. Ask for a token with that role.`)
}

/** Returns whether `caller` is an admin in the workspaces of all `grants`, and so has the rights that they give. */
export function mayGrant(caller: Caller, grants: readonly Readonly<Grant>[]): boolean {
  if (roleIn(caller, "*") === "admin") return true
  return grants.length > 0 && grants.every(({ workspace }) => roleIn(caller, workspace) === "admin")
}

/** Returns the workspaces whose records `caller` may see, or where it has at least another role. */
export function visibleWorkspaces(caller: Caller, role: Role = "viewer"): VisibleWorkspaces {
  const granted = caller.grants.filter((grant) => includesRole(grant.role, role)).map(({ workspace }) => workspace)
  return granted.includes("*") ? "all" : granted
}

/** Returns the workspaces where `caller` may use secrets by reference: those where it is at least an editor. */
export function secretRightsOf(caller: Caller): SecretRights {
  return (workspace) => {
    const held = roleIn(caller, workspace)
    return held !== undefined && includesRole(held, "editor")
  }
}
