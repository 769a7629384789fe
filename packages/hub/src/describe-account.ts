import type { HubAccount, Workspace, Role } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"

/** The hub's names of roles. */
const ROLE_WORDS: Readonly<Record<Role, "read" | "write" | "admin">> = {
  viewer: "read",
  editor: "write",
  admin: "admin",
}

/** The sender of a request. */
export interface AccountHolder {
  /** Null without authentication. */
  readonly id: string | null
  /** Returns the role of the sender in a workspace, if any. */
  readonly roleIn: (workspace: string) => Role | undefined
}

/** Describes the sender of a request as an account of the hub, with its workspaces as organizations. */
export function describeAccount(
  { id, roleIn }: AccountHolder,
  workspaces: readonly Workspace[],
): Static<typeof HubAccount> {
  const name = id ?? "anonymous"
  const orgs = workspaces.map((workspace) => ({
    type: "org" as const,
    id: workspace.id,
    name: workspace.name,
    fullname: workspace.name,
    roleInOrg: ROLE_WORDS[roleIn(workspace.name) ?? "viewer"],
  }))
  const canWrite = orgs.some(({ roleInOrg }) => roleInOrg !== "read")
  return {
    type: "user",
    id: name,
    name,
    fullname: name,
    isPro: false,
    canPay: false,
    orgs,
    auth: { type: "access_token", accessToken: { displayName: name, role: canWrite ? "write" : "read" } },
  }
}
