import { CreateWorkspace, UpdateWorkspace, Workspace, WorkspacePage } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { access, callerOf } from "../auth/access.ts"
import { visibleWorkspaces } from "../auth/require-role.ts"
import { errorResponses } from "../http/error-responses.ts"
import { pageQuery } from "../http/page-query.ts"
import { WorkspaceParameters } from "../http/path-parameters.ts"
import type { App } from "../app.ts"
import type { Services } from "../services.ts"

const tags = ["workspaces"]
const read = access({ scope: "workspace", role: "viewer" })
const administer = access({ scope: "workspace", role: "admin" })

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
        querystring: pageQuery(100, 1000),
        response: { 200: WorkspacePage, ...errorResponses },
      },
    },
    (request) => registry.workspaces.list(request.query, visibleWorkspaces(callerOf(request))),
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
          cascade: Type.Boolean({ default: false, description: "Delete its filesets and secrets too." }),
        }),
        response: { 200: Workspace, ...errorResponses },
      },
    },
    (request) => registry.workspaces.remove(request.params.ws, request.query),
  )
}
