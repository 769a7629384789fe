import { describeAccount } from "@assay/hub"
import { roleIn, visibleWorkspaces } from "@assay/access"
import { HubAccount } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import type { Services } from "../services.ts"

const tags = ["hub"]
const anyone = access({ scope: "any" })

const MAX_WORKSPACES = 1000

const YamlFaults = Type.Object({ errors: Type.Array(Type.Unknown()), warnings: Type.Array(Type.Unknown()) })

/** Defines the routes for the account of the sender and for the metadata of a README. */
export function accountRoutes(app: App, { registry }: Services): void {
  app.get(
    "/api/whoami-v2",
    { config: anyone, schema: { tags, summary: "Get the account of the token", response: { 200: HubAccount } } },
    async (request) => {
      const caller = callerOf(request)
      const query = { page: 1, page_size: MAX_WORKSPACES }
      const { data } = await registry.workspaces.list(query, visibleWorkspaces(caller))
      const roleOf = (workspace: string) => roleIn(caller, workspace)
      return describeAccount({ id: caller.id, roleIn: roleOf }, data)
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
