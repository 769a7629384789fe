import { visibleWorkspaces } from "@assay/registry/tokens"
import {
  CreateWorkspace,
  parseListingQuery,
  UpdateWorkspace,
  Workspace,
  WORKSPACE_LISTING,
  WorkspacePage,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import { queryPairs } from "../evaluation/list-jobs.ts"
import type { App } from "../http/app.ts"
import { created, ok, RecordsQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["workspaces"]
const read = access({ scope: "workspace", role: "viewer" })
const administer = access({ scope: "workspace", role: "admin" })

const ListWorkspacesQuery = Type.Intersect([
  RecordsQuery,
  Type.Object({
    filter: Type.Optional(
      Type.String({ description: "In brackets: `filter[name]=team-a`, `filter[created_at][gte]=2026-11-20`." }),
    ),
    search: Type.Optional(Type.String({ description: "Part of a text, in brackets: `search[description]=vision`." })),
  }),
])

/** Defines the routes for workspaces, under `/apis/entities/v2`. */
export function workspaceRoutes(app: App, { registry }: Services): void {
  app.post(
    "/workspaces",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: { tags, summary: "Create a workspace", body: CreateWorkspace, response: created(Workspace) },
    },
    async (request, reply) => reply.code(201).send(await registry.workspaces.create(request.body)),
  )
  app.get(
    "/workspaces",
    {
      config: access({ scope: "any" }),
      schema: { tags, summary: "List workspaces", querystring: ListWorkspacesQuery, response: ok(WorkspacePage) },
    },
    async (request) => {
      const { page, page_size, sort } = request.query
      const { query: where, filter } = parseListingQuery(queryPairs(request.query), WORKSPACE_LISTING)
      const found = await registry.workspaces.list(
        { page, page_size, sort, where },
        visibleWorkspaces(callerOf(request)),
      )
      return { ...found, sort, filter }
    },
  )
  app.get(
    "/workspaces/:ws",
    {
      config: read,
      schema: { tags, summary: "Get a workspace", params: WorkspaceParameters, response: ok(Workspace) },
    },
    (request) => registry.workspaces.get(request.params.ws),
  )
  app.put(
    "/workspaces/:ws",
    {
      config: administer,
      schema: {
        tags,
        summary: "Update a workspace",
        params: WorkspaceParameters,
        body: UpdateWorkspace,
        response: ok(Workspace),
      },
    },
    (request) => registry.workspaces.update(request.params.ws, request.body),
  )
  app.delete(
    "/workspaces/:ws",
    {
      config: administer,
      schema: {
        tags,
        summary: "Delete a workspace",
        params: WorkspaceParameters,
        querystring: Type.Object({
          cascade: Type.Boolean({ default: false, description: "Also delete its filesets, models, jobs and secrets." }),
        }),
        response: ok(Workspace),
      },
    },
    (request) => registry.workspaces.remove(request.params.ws, request.query),
  )
}
