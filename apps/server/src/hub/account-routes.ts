import { HubAccount } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import { type Role, roleIn, visibleWorkspaces } from "@assay/registry/tokens"
import type { App } from "../http/app.ts"
import type { Services } from "../services.ts"

const tags = ["hub"]
const anyone = access({ scope: "any" })

const MAX_WORKSPACES = 1000

/** The hub's names of roles. */
const ROLE_WORDS: Readonly<Record<Role, "read" | "write" | "admin">> = {
  viewer: "read",
  editor: "write",
  admin: "admin",
}

const YamlFaults = Type.Object({ errors: Type.Array(Type.Unknown()), warnings: Type.Array(Type.Unknown()) })

/** Defines the routes for the account of the sender and for the metadata of a README. */
export function accountRoutes(app: App, { registry }: Services): void {
  app.get(
    "/api/whoami-v2",
    { config: anyone, schema: { tags, summary: "Get the account of the token", response: { 200: HubAccount } } },
    async (request) => {
      const caller = callerOf(request)
      const name = caller.tokenId ?? "anonymous"
      const visible = visibleWorkspaces(caller)
      const { data } = await registry.workspaces.list({ page: 1, page_size: MAX_WORKSPACES }, visible)
      const orgs = data.map((workspace) => ({
        type: "org" as const,
        id: workspace.id,
        name: workspace.name,
        fullname: workspace.name,
        roleInOrg: ROLE_WORDS[roleIn(caller, workspace.name) ?? "viewer"],
      }))
      const canWrite = orgs.some(({ roleInOrg }) => roleInOrg !== "read")
      return {
        type: "user" as const,
        id: name,
        name,
        fullname: name,
        isPro: false,
        canPay: false,
        orgs,
        auth: {
          type: "access_token" as const,
          accessToken: { displayName: name, role: canWrite ? ("write" as const) : ("read" as const) },
        },
      }
    },
  )
  app.post(
    "/api/validate-yaml",
    {
      config: anyone,
      schema: {
        tags,
        summary: "Validate the metadata of a README; every text is valid",
        body: Type.Unknown(),
        response: { 200: YamlFaults },
      },
    },
    () => ({ errors: [], warnings: [] }),
  )
}
