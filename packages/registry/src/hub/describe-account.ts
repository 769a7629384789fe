import type { HubAccount, Workspace, Role } from "@assay/schemas"
import type { Static } from "@sinclair/typebox"
import { roleIn, type Caller } from "../tokens/grant.ts"

/** The hub's names of roles. */
const ROLE_WORDS: Readonly<Record<Role, "read" | "write" | "admin">> = {
  viewer: "read",
  editor: "write",
  admin: "admin",
}

/** Describes the sender of a request as an account of the hub, with its workspaces as organizations. */
export function describeAccount(caller: Caller, workspaces: readonly Workspace[]): Static<typeof HubAccount> {
  const name = caller.tokenId ?? "anonymous"
  const orgs = workspaces.map((workspace) => ({
    type: "org" as const,
    id: workspace.id,
    name: workspace.name,
    fullname: workspace.name,
    roleInOrg: ROLE_WORDS[roleIn(caller, workspace.name) ?? "viewer"],
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
