import { clientSignal } from "@assay/http/server"
import { type Caller, requireRole } from "@assay/registry/tokens"
import { CreateModel, enumeration, Model, MODEL_SORTS, ModelPage, UpdateModel } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply } from "fastify"
import { access, callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { created, NamedParameters, ok, pageQuery, WorkspaceParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["models"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

const ListModelsQuery = Type.Intersect([
  pageQuery(10, 100),
  Type.Object({
    sort: enumeration(MODEL_SORTS, { default: "-created_at", description: "A leading `-` means descending." }),
  }),
])

const WaitQuery = Type.Object({
  wait: Type.Number({
    minimum: 0,
    maximum: 300,
    default: 30,
    description:
      "Seconds to wait for the analysis. If it takes longer, the response has the status `running`, and the analysis continues.",
  }),
})

/** Defines the routes for models and the analysis of their checkpoints, under `/apis/models/v2`. */
export function modelRoutes(app: App, { registry, analyses }: Services): void {
  const { models } = registry

  /** Returns the record after its analysis has ended, or after `wait` seconds. */
  async function analyzed(model: Model, wait: number, reply: FastifyReply): Promise<Model> {
    if (wait > 0)
      await analyses.wait(model, AbortSignal.any([clientSignal(reply.raw), AbortSignal.timeout(wait * 1000)]))
    return models.get(model.workspace, model.name)
  }

  app.post(
    "/workspaces/:ws/models",
    {
      config: edit,
      schema: {
        tags,
        summary: "Create a model and analyse its checkpoint",
        params: WorkspaceParameters,
        querystring: WaitQuery,
        body: CreateModel,
        response: created(Model),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      checkFilesetRole(caller, request.body.fileset)
      const run = await models.create(request.params.ws, request.body)
      analyses.start(run, caller)
      return reply.code(201).send(await analyzed(run.model, request.query.wait, reply))
    },
  )
  app.get(
    "/workspaces/:ws/models",
    {
      config: read,
      schema: {
        tags,
        summary: "List models",
        params: WorkspaceParameters,
        querystring: ListModelsQuery,
        response: ok(ModelPage),
      },
    },
    (request) => models.list(request.params.ws, request.query),
  )
  app.get(
    "/workspaces/:ws/models/:name",
    { config: read, schema: { tags, summary: "Get a model", params: NamedParameters, response: ok(Model) } },
    (request) => models.get(request.params.ws, request.params.name),
  )
  app.patch(
    "/workspaces/:ws/models/:name",
    {
      config: edit,
      schema: { tags, summary: "Update a model", params: NamedParameters, body: UpdateModel, response: ok(Model) },
    },
    (request) => models.update(request.params.ws, request.params.name, request.body),
  )
  app.delete(
    "/workspaces/:ws/models/:name",
    {
      config: edit,
      schema: { tags, summary: "Delete a model; its fileset is kept", params: NamedParameters, response: ok(Model) },
    },
    (request) => models.remove(request.params.ws, request.params.name),
  )
  app.post(
    "/workspaces/:ws/models/:name/analyze",
    {
      config: edit,
      schema: {
        tags,
        summary: "Analyse the checkpoint of a model again, or wait for the analysis that is running",
        params: NamedParameters,
        querystring: WaitQuery,
        response: ok(Model),
      },
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const caller = callerOf(request)
      const model = await models.get(ws, name)
      checkFilesetRole(caller, model.fileset)
      const run = await models.startAnalysis(ws, name)
      if (run !== undefined) analyses.start(run, caller)
      return analyzed(run?.model ?? model, request.query.wait, reply)
    },
  )
}

/** Checks that `caller` may read the fileset. A name without a workspace is in the workspace of the model. @throws `not_found` */
function checkFilesetRole(caller: Caller, fileset: string): void {
  const end = fileset.indexOf("/")
  if (end >= 0) requireRole(caller, fileset.slice(0, end), "viewer")
}
