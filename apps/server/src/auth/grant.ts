/** What a token may do, each role including the ones before it. */
export const ROLES = ["viewer", "editor", "admin"] as const
export type Role = (typeof ROLES)[number]

export interface Grant {
  /** A workspace, or `*` for all. */
  readonly workspace: string
  readonly role: Role
}

/** Who sends a request. Without auth there is one caller, who may do everything. */
export interface Caller {
  /** Id of the token; null without auth. */
  readonly tokenId: string | null
  readonly grants: readonly Grant[]
}

export const EVERYONE: Caller = { tokenId: null, grants: [{ workspace: "*", role: "admin" }] }

/** The strongest role that `caller` has in `workspace`, if any. */
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

/** Who sends a request that was not looked at, or not let in. */
export const NOBODY: Caller = { tokenId: null, grants: [] }
