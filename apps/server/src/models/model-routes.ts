import { clientSignal } from "@assay/http/node"
import { type Caller, requireRole, visibleWorkspaces } from "@assay/access"
import {
  CreateModel,
  enumeration,
  Model,
  MODEL_FILTER_FIELDS,
  MODEL_SORTS,
  ModelPage,
  parseFilter,
  UpdateModel,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply } from "fastify"
import { callerOf } from "../auth/access.ts"
import { callerFilesets } from "../filesets/caller-filesets.ts"
import { refuseBody } from "../http/refuse-body.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { dropNulls } from "../http/drop-nulls.ts"
import {
  created,
  filterParameters,
  FilterQuery,
  NamedParameters,
  ok,
  pageQuery,
  WorkspaceParameters,
} from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const ALL = "/workspaces/:ws/models"
const ONE = `${ALL}/:name` as const

const list = describeRoutes("models", { scope: "any" })
const read = describeRoutes("models", { scope: "workspace", role: "viewer" })
// A client can write a key instead of leaving it out. Errors must not repeat it.
const edit = describeRoutes("models", { scope: "workspace", role: "editor" }, { hideInput: true })
const one = { params: NamedParameters, response: ok(Model) }

/** A parameter of the platform's clients. */
const VerboseQuery = Type.Object({
  verbose: Type.Optional(Type.Boolean({ description: "Has no effect: the specification is always whole." })),
})
const ListQuery = Type.Intersect([
  pageQuery(100, 1000),
  FilterQuery,
  VerboseQuery,
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
export function modelRoutes(app: App, services: Services): void {
  const { models } = services.registry
  listModelsRoute(app, services)
  analysedModelRoutes(app, services)
  app.get(ONE, read({ summary: "Get a model", querystring: VerboseQuery, ...one }), ({ params: { ws, name } }) =>
    models.get(ws, name),
  )
  app.patch(
    ONE,
    edit({ summary: "Update a model", querystring: VerboseQuery, body: UpdateModel, ...one }),
    ({ params: { ws, name }, body }) => models.update(ws, name, body),
  )
  app.delete(ONE, edit({ summary: "Delete a model; its fileset is kept", ...one }), ({ params: { ws, name } }) =>
    models.remove(ws, name),
  )
}

function listModelsRoute(app: App, { registry: { models } }: Services): void {
  app.get(
    ALL,
    list({
      summary: "List models; the workspace `-` lists those of all workspaces that the caller may see",
      params: WorkspaceParameters,
      querystring: ListQuery,
      response: ok(ModelPage),
    }),
    (request) => {
      const { ws } = request.params
      const { page, page_size, sort } = request.query
      const caller = callerOf(request)
      if (ws !== "-") requireRole(caller, ws, "viewer")
      const query = { page, page_size, sort, filter: parseFilter(filterParameters(request.query), MODEL_FILTER_FIELDS) }
      return models.list(ws === "-" ? undefined : ws, query, visibleWorkspaces(caller))
    },
  )
}

/** Defines the routes that begin an analysis, and wait for it. */
function analysedModelRoutes(app: App, { registry, analyses }: Services): void {
  const { models } = registry

  /** Returns the record after its analysis has ended, or after `wait` seconds. */
  async function analyzed(model: Model, wait: number, reply: FastifyReply): Promise<Model> {
    if (wait > 0)
      await analyses.wait(model, AbortSignal.any([clientSignal(reply.raw), AbortSignal.timeout(wait * 1000)]))
    return models.get(model.workspace, model.name)
  }

  app.post(
    ALL,
    {
      ...edit({
        summary: "Create a model and analyse its checkpoint",
        description:
          "Without a fileset the model is only described: by its endpoint, or by a specification that the client gives.",
        params: WorkspaceParameters,
        querystring: WaitQuery,
        body: CreateModel,
        response: created(Model),
      }),
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { fileset } = request.body
      if (fileset === undefined || fileset === null)
        return reply.code(201).send(await models.describe(request.params.ws, request.body))
      checkFilesetRole(caller, fileset)
      const run = await models.create(request.params.ws, { ...request.body, fileset })
      analyses.start(run, callerFilesets(registry, caller))
      return reply.code(201).send(await analyzed(run.model, request.query.wait, reply))
    },
  )
  app.post(
    `${ONE}/analyze`,
    {
      ...edit({
        summary: "Analyse the checkpoint of a model again, or wait for the analysis that is running",
        querystring: WaitQuery,
        ...one,
      }),
      preValidation: refuseBody,
    },
    async (request, reply) => {
      const { ws, name } = request.params
      const caller = callerOf(request)
      const model = await models.get(ws, name)
      if (model.fileset !== null) checkFilesetRole(caller, model.fileset)
      const run = await models.startAnalysis(ws, name)
      if (run !== undefined) analyses.start(run, callerFilesets(registry, caller))
      return analyzed(run?.model ?? model, request.query.wait, reply)
    },
  )
}

/** Checks that `caller` may read the fileset. A name without a workspace is in the workspace of the model. @throws `not_found` */
export function checkFilesetRole(caller: Caller, fileset: string): void {
  const end = fileset.indexOf("/")
  if (end >= 0) requireRole(caller, fileset.slice(0, end), "viewer")
}
