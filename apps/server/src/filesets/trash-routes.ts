import { requireRole, visibleWorkspaces } from "@assay/access"
import type { TrashItem } from "@assay/registry"
import { EmptiedTrash, Fileset, formatTimestamp, RestoreTrash, TrashEntry, TrashPage } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { present } from "./present-fileset.ts"

const ALL = "/workspaces/:ws/trash"
const ONE = `${ALL}/:id` as const

const list = describeRoutes("filesets", { scope: "any" })
const edit = describeRoutes("filesets", { scope: "workspace", role: "editor" })
const params = Type.Object({ ws: Type.String(), id: Type.String() })

const ListQuery = Type.Intersect([
  pageQuery(100, 1000),
  Type.Object({ name: Type.Optional(Type.String({ description: "Only filesets that had this name." })) }),
])

/** Defines the routes for deleted filesets that can be restored, under `/apis/files/v2`. */
export function trashRoutes(app: App, services: Services): void {
  const { trash } = services.registry
  app.get(
    ALL,
    list({
      summary: "List deleted filesets that can be restored; the workspace `-` means all that the caller may see",
      description: "The newest deletion comes first. `bytes` is what all of them hold, also those of other pages.",
      params: WorkspaceParameters,
      querystring: ListQuery,
      response: ok(TrashPage),
    }),
    async (request) => {
      const { ws } = request.params
      const caller = callerOf(request)
      if (ws !== "-") requireRole(caller, ws, "viewer")
      const found = await trash.list(ws === "-" ? undefined : ws, request.query, visibleWorkspaces(caller))
      return { data: found.data.map(entryOf), pagination: found.pagination, bytes: found.bytes }
    },
  )
  app.post(
    `${ONE}/restore`,
    edit({
      summary: "Restore a deleted fileset with its files",
      description: "It keeps its id and its history. If another fileset has its name, give another `name`.",
      params,
      body: RestoreTrash,
      response: ok(Fileset),
    }),
    async ({ params: { ws, id }, body }) => present(await trash.restore(ws, id, body.name), services),
  )
  app.delete(
    ONE,
    edit({
      summary: "Delete a fileset in the trash for good",
      description: "Its files are deleted in the background, and nothing can restore them.",
      params,
      response: ok(TrashEntry),
    }),
    async ({ params: { ws, id } }) => entryOf(await trash.remove(ws, id)),
  )
  app.delete(
    ALL,
    edit({
      summary: "Delete all filesets in the trash for good",
      description: "Returns how many they were, and the bytes that they held as far as these are known.",
      params: WorkspaceParameters,
      response: ok(EmptiedTrash),
    }),
    ({ params: { ws } }) => trash.empty(ws),
  )
}

function entryOf({ removedAt, removedBy, removedUntil, ...entry }: TrashItem): TrashEntry {
  return {
    ...entry,
    removed_at: formatTimestamp(removedAt),
    removed_by: removedBy,
    removed_until: formatTimestamp(removedUntil),
  }
}
