import { CreateProject, Project, ProjectPage, UpdateProject } from "@assay/schemas"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { created, NamedParameters, ok, RecordsQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["projects"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

/** Defines the routes for projects of a workspace, under `/apis/entities/v2`. */
export function projectRoutes(app: App, { registry }: Services): void {
  app.post(
    "/workspaces/:ws/projects",
    {
      config: edit,
      schema: {
        tags,
        summary: "Create a project",
        params: WorkspaceParameters,
        body: CreateProject,
        response: created(Project),
      },
    },
    async (request, reply) => reply.code(201).send(await registry.projects.create(request.params.ws, request.body)),
  )
  app.get(
    "/workspaces/:ws/projects",
    {
      config: read,
      schema: {
        tags,
        summary: "List projects",
        params: WorkspaceParameters,
        querystring: RecordsQuery,
        response: ok(ProjectPage),
      },
    },
    (request) => registry.projects.list(request.params.ws, request.query),
  )
  app.get(
    "/workspaces/:ws/projects/:name",
    { config: read, schema: { tags, summary: "Get a project", params: NamedParameters, response: ok(Project) } },
    (request) => registry.projects.get(request.params.ws, request.params.name),
  )
  app.put(
    "/workspaces/:ws/projects/:name",
    {
      config: edit,
      schema: {
        tags,
        summary: "Update a project",
        params: NamedParameters,
        body: UpdateProject,
        response: ok(Project),
      },
    },
    (request) => registry.projects.update(request.params.ws, request.params.name, request.body),
  )
  app.delete(
    "/workspaces/:ws/projects/:name",
    { config: edit, schema: { tags, summary: "Delete a project", params: NamedParameters, response: ok(Project) } },
    (request) => registry.projects.remove(request.params.ws, request.params.name),
  )
}
