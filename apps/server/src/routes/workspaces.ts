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
import { visibleWorkspaces } from "../auth/require-role.ts"
import { queryPairs } from "../evaluation/list-jobs.ts"
import { errorResponses } from "../http/error-responses.ts"
import { RecordsQuery } from "../http/page-query.ts"
import { WorkspaceParameters } from "../http/path-parameters.ts"
import type { App } from "../app.ts"
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
    search: Type.Optional(Type.String({ description: "Parts of texts, in brackets: `search[description]=vision`." })),
  }),
])

/** Workspaces, under `/apis/entities/v2`. */
export function workspaceRoutes(app: App, { registry }: Services): void {
  app.post(
    "/workspaces",
    {
      config: access({ scope: "everywhere", role: "admin" }),
      schema: {
        tags,
        summary: "Create a workspace",
        body: CreateWorkspace,
        response: { 201: Workspace, ...errorResponses },
      },
    },
    async (request, reply) => reply.code(201).send(await registry.workspaces.create(request.body)),
  )
  app.get(
    "/workspaces",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "List workspaces",
        querystring: ListWorkspacesQuery,
        response: { 200: WorkspacePage, ...errorResponses },
      },
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
      schema: {
        tags,
        summary: "Get a workspace",
        params: WorkspaceParameters,
        response: { 200: Workspace, ...errorResponses },
      },
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
        response: { 200: Workspace, ...errorResponses },
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
          cascade: Type.Boolean({ default: false, description: "Delete its filesets, models, jobs and secrets too." }),
        }),
        response: { 200: Workspace, ...errorResponses },
      },
    },
    (request) => registry.workspaces.remove(request.params.ws, request.query),
  )
}
