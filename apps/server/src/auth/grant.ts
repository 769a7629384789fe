/** The roles of a token. Each includes the ones before it. */
export const ROLES = ["viewer", "editor", "admin"] as const
export type Role = (typeof ROLES)[number]

export interface Grant {
  /** A workspace, or `*` for all. */
  readonly workspace: string
  readonly role: Role
}

/** The sender of a request. Without authentication there is one caller, who may do everything. */
export interface Caller {
  /** Id of the token; null without auth. */
  readonly tokenId: string | null
  readonly grants: readonly Grant[]
}

export const EVERYONE: Caller = { tokenId: null, grants: [{ workspace: "*", role: "admin" }] }

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

/** The sender of a request that was not authenticated or was refused. */
export const NOBODY: Caller = { tokenId: null, grants: [] }
