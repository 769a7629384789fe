import { visibleWorkspaces } from "@assay/access"
import {
  CreateWorkspace,
  formatFilter,
  parseFilter,
  parseListingQuery,
  UpdateWorkspace,
  Workspace,
  WORKSPACE_FILTER_FIELDS,
  WORKSPACE_LISTING,
  WorkspacePage,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { dropNulls } from "../http/drop-nulls.ts"
import {
  created,
  filterParameters,
  FilterQuery,
  ok,
  queryPairs,
  RecordsQuery,
  WorkspaceParameters,
} from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const ONE = "/workspaces/:ws"

const create = describeRoutes("workspaces", { scope: "everywhere", role: "admin" })
const list = describeRoutes("workspaces", { scope: "any" })
const read = describeRoutes("workspaces", { scope: "workspace", role: "viewer" })
const administer = describeRoutes("workspaces", { scope: "workspace", role: "admin" })
const one = { params: WorkspaceParameters, response: ok(Workspace) }

const ListQuery = Type.Intersect([
  RecordsQuery,
  FilterQuery,
  Type.Object({
    search: Type.Optional(Type.String({ description: "Part of a text, in brackets: `search[description]=vision`." })),
  }),
])
const CreateQuery = Type.Object({
  wait_role_propagation: Type.Optional(Type.Boolean({ description: "Has no effect: rights depend on tokens." })),
})
const RemoveQuery = Type.Object({
  cascade: Type.Boolean({ default: false, description: "Also delete its filesets, models, jobs and secrets." }),
})

/** Defines the routes for workspaces, under `/apis/entities/v2`. */
export function workspaceRoutes(app: App, { registry: { workspaces } }: Services): void {
  app.post(
    "/workspaces",
    {
      ...create({
        summary: "Create a workspace",
        querystring: CreateQuery,
        body: CreateWorkspace,
        response: created(Workspace),
      }),
      preValidation: dropNulls,
    },
    async ({ body }, reply) => reply.code(201).send(await workspaces.create(body)),
  )
  app.get(
    "/workspaces",
    list({ summary: "List workspaces", querystring: ListQuery, response: ok(WorkspacePage) }),
    async (request) => {
      const { page, page_size, sort } = request.query
      const filter = parseFilter(filterParameters(request.query), WORKSPACE_FILTER_FIELDS)
      const searches = queryPairs(request.query).filter(([key]) => key.startsWith("search"))
      const { query: where } = parseListingQuery(searches, WORKSPACE_LISTING)
      const query = { page, page_size, sort, filter, where }
      const found = await workspaces.list(query, visibleWorkspaces(callerOf(request)))
      return { ...found, sort, ...(filter === undefined ? {} : { filter: formatFilter(filter) }) }
    },
  )
  app.get(ONE, read({ summary: "Get a workspace", ...one }), ({ params }) => workspaces.get(params.ws))
  app.put(ONE, administer({ summary: "Update a workspace", body: UpdateWorkspace, ...one }), ({ params, body }) =>
    workspaces.update(params.ws, body),
  )
  app.delete(ONE, administer({ summary: "Delete a workspace", querystring: RemoveQuery, ...one }), (request) =>
    workspaces.remove(request.params.ws, request.query),
  )
}
