import {
  CreateProject,
  formatFilter,
  parseFilter,
  Project,
  PROJECT_FILTER_FIELDS,
  ProjectPage,
  UpdateProject,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { dropNulls } from "../http/drop-nulls.ts"
import {
  created,
  filterParameters,
  FilterQuery,
  NamedParameters,
  ok,
  RecordsQuery,
  WorkspaceParameters,
} from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const ALL = "/workspaces/:ws/projects"
const ONE = `${ALL}/:name` as const

const read = describeRoutes("projects", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("projects", { scope: "workspace", role: "editor" })
const one = { params: NamedParameters, response: ok(Project) }

const ListQuery = Type.Intersect([RecordsQuery, FilterQuery])

/** Defines the routes for projects of a workspace, under `/apis/entities/v2`. */
export function projectRoutes(app: App, { registry: { projects } }: Services): void {
  app.post(
    ALL,
    {
      ...edit({
        summary: "Create a project",
        params: WorkspaceParameters,
        body: CreateProject,
        response: created(Project),
      }),
      preValidation: dropNulls,
    },
    async ({ params, body }, reply) => reply.code(201).send(await projects.create(params.ws, body)),
  )
  app.get(
    ALL,
    read({
      summary: "List projects",
      params: WorkspaceParameters,
      querystring: ListQuery,
      response: ok(ProjectPage),
    }),
    async ({ params, query }) => {
      const { page, page_size, sort } = query
      const filter = parseFilter(filterParameters(query), PROJECT_FILTER_FIELDS)
      const found = await projects.list(params.ws, { page, page_size, sort, filter })
      return { ...found, ...(filter === undefined ? {} : { filter: formatFilter(filter) }) }
    },
  )
  app.get(ONE, read({ summary: "Get a project", ...one }), ({ params: { ws, name } }) => projects.get(ws, name))
  app.put(ONE, edit({ summary: "Update a project", body: UpdateProject, ...one }), ({ params: { ws, name }, body }) =>
    projects.update(ws, name, body),
  )
  app.delete(ONE, edit({ summary: "Delete a project", ...one }), ({ params: { ws, name } }) =>
    projects.remove(ws, name),
  )
}
