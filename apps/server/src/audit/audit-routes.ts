import { visibleWorkspaces } from "@assay/access"
import type { Audit, AuditQuery } from "@assay/registry"
import type { VisibleWorkspaces } from "@assay/database"
import { AUDIT_LISTING, AuditPage, parseListingQuery } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, ok, queryPairs } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import type { Services } from "../services.ts"

/** Maximum number of records of one export. */
const MAX_EXPORT = 1_000_000
/** Number of records that are read at once, and sent before the next ones are read. */
const PAGE = 1000
/** About the size in bytes of the records that wait for the client. */
const HELD_BYTES = 524_288

const read = describeRoutes("audit", { scope: "anywhere", role: "admin" })

const conditions = {
  filter: Type.Optional(
    Type.String({ description: "In brackets: `filter[action]=deleteFileset`, `filter[created_at][gte]=2026-11-20`." }),
  ),
  search: Type.Optional(Type.String({ description: "Part of a text, in brackets: `search[name]=reviews`." })),
}
const ListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of records." }),
  cursor: Type.Optional(Type.String({ pattern: "^[1-9]\\d{0,14}$", description: "`next_cursor` of the page before." })),
  ...conditions,
})
const ExportQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EXPORT, description: "Maximum number of records." })),
  ...conditions,
})

/** Defines the route with which admins read who changed what, under `/v1`. */
export function auditRoutes(app: App, services: Services): void {
  const { audit } = services.registry
  exportRoute(app, services)
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

function exportRoute(app: App, { registry: { audit }, outgoing }: Services): void {
  app.get(
    "/audit/export",
    read({
      summary: "Export who changed what as JSON lines, newest first",
      description: "The same records as the list, one a line, sent while they are read.",
      querystring: ExportQuery,
      response: {
        200: Type.String({ contentMediaType: "application/x-ndjson", description: "An AuditRecord in each line." }),
        ...errorResponses,
      },
    }),
    async (request, reply) => {
      const { limit = MAX_EXPORT } = request.query
      const { query: where } = parseListingQuery(queryPairs(request.query), AUDIT_LISTING)
      const visible = visibleWorkspaces(callerOf(request), "admin")
      outgoing.hold(reply.raw, HELD_BYTES)
      return sendPieces(reply, linesOf(audit, { limit, where }, visible), { "content-type": "application/x-ndjson" })
    },
  )
}

/** Reads records page by page, as JSON lines. */
async function* linesOf(
  audit: Pick<Audit, "list">,
  { limit, where }: Required<Pick<AuditQuery, "limit" | "where">>,
  visible: VisibleWorkspaces,
): AsyncGenerator<string, void, undefined> {
  let cursor: number | undefined
  for (let left = limit; left > 0;) {
    const { data, next_cursor } = await audit.list({ limit: Math.min(left, PAGE), cursor, where }, visible)
    yield data.map((record) => `${JSON.stringify(record)}\n`).join("")
    if (next_cursor === undefined) return
    left -= data.length
    cursor = Number(next_cursor)
  }
}
