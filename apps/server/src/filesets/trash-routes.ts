import { requireRole, visibleWorkspaces } from "@assay/access"
import type { TrashItem } from "@assay/filesets"
import {
  EmptiedTrash,
  EvaluationJob,
  Fileset,
  formatTimestamp,
  invalidRequest,
  presentJob,
  RestoreTrash,
  TrashEntry,
  TrashPage,
} from "@assay/schemas"
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
  Type.Object({
    name: Type.Optional(Type.String({ description: "Only what had this name. The name of a job is its id." })),
  }),
])

/** Defines the routes for deleted filesets and jobs that can be restored, under `/apis/files/v2`. */
export function trashRoutes(app: App, services: Services): void {
  entryRoutes(app, services)
  const { registry, evaluations } = services
  const { trash } = registry
  app.get(
    ALL,
    list({
      summary:
        "List deleted filesets and jobs that can be restored; the workspace `-` means all that the caller may see",
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
  app.delete(
    ALL,
    edit({
      summary: "Delete all filesets and jobs in the trash for good",
      description: "Returns how many they were, and the bytes that they held as far as these are known.",
      params: WorkspaceParameters,
      response: ok(EmptiedTrash),
    }),
    async ({ params: { ws } }) => {
      const emptied = await trash.empty(ws)
      if (emptied.jobs > 0) evaluations.sweepTrash()
      return emptied
    },
  )
}

/** Defines the routes that restore an entry, or delete it for good. */
function entryRoutes(app: App, services: Services): void {
  const { registry, evaluations, wireNames } = services
  const { trash, jobs } = registry
  app.post(
    `${ONE}/restore`,
    edit({
      summary: "Restore a deleted fileset with its files, or a deleted job with its rows and results",
      description:
        "It keeps its id, and a fileset its history. If another fileset has its name, give another `name`. The inline keys of a job are not kept.",
      params,
      body: RestoreTrash,
      response: ok(Type.Union([Fileset, EvaluationJob])),
    }),
    async ({ params: { ws, id }, body: { name } }) => {
      if ((await trash.kindOf(ws, id)) === "fileset") return present(await trash.restore(ws, id, name), services)
      if (name !== undefined) {
        throw invalidRequest(["body", "name"], "A job has no name; leave it out.", "unexpected_name", name)
      }
      return presentJob(await jobs.restore(ws, id), wireNames)
    },
  )
  app.delete(
    ONE,
    edit({
      summary: "Delete a fileset or a job in the trash for good",
      description: "Its files are deleted in the background, and nothing can restore them.",
      params,
      response: ok(TrashEntry),
    }),
    async ({ params: { ws, id } }) => {
      const entry = await trash.remove(ws, id)
      if (entry.kind === "job") evaluations.sweepTrash()
      return entryOf(entry)
    },
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
