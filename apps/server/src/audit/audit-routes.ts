import { visibleWorkspaces } from "@assay/access"
import { AUDIT_LISTING, AuditPage, parseListingQuery } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok, queryPairs } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const read = describeRoutes("audit", { scope: "anywhere", role: "admin" })

const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of records." }),
  cursor: Type.Optional(Type.String({ pattern: "^[1-9]\\d{0,14}$", description: "`next_cursor` of the page before." })),
  filter: Type.Optional(
    Type.String({ description: "In brackets: `filter[action]=deleteFileset`, `filter[created_at][gte]=2026-11-20`." }),
  ),
  search: Type.Optional(Type.String({ description: "Part of a text, in brackets: `search[name]=reviews`." })),
})

/** Defines the route with which admins read who changed what, under `/v1`. */
export function auditRoutes(app: App, { registry: { audit } }: Services): void {
  app.get(
    "/audit",
    read({
      summary: "List who changed what, newest first",
      description:
        "Each write of an identified caller leaves a record within a second, which is kept for ASSAY_AUDIT_DAYS. Shows the records of workspaces where the caller is an admin; admins of all workspaces also see those without a workspace.",
      querystring: ListQuery,
      response: ok(AuditPage),
    }),
    async (request) => {
      const { limit, cursor } = request.query
      const { query: where } = parseListingQuery(queryPairs(request.query), AUDIT_LISTING)
      const visible = visibleWorkspaces(callerOf(request), "admin")
      return audit.list({ limit, cursor: cursor === undefined ? undefined : Number(cursor), where }, visible)
    },
  )
}
