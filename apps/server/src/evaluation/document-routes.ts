import {
  DeletedEvaluationDocument,
  EvaluationConfig,
  EvaluationConfigBody,
  EvaluationConfigPage,
  EvaluationTarget,
  EvaluationTargetBody,
  EvaluationTargetPage,
  UpdateEvaluationConfig,
  UpdateEvaluationTarget,
} from "@assay/schemas"
import type { DocumentBody } from "@assay/jobs"
import type { CallerDocuments } from "@assay/jobs/service"
import type { TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { created, NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf, listingOf, ListingParameters, readBodyForms } from "./evaluation-requests.ts"

const list = describeRoutes("evaluation", { scope: "any" })
const read = describeRoutes("evaluation", { scope: "workspace", role: "viewer" })
// Somebody can write a key instead of its name. Errors must not repeat it.
const create = describeRoutes("evaluation", { scope: "any" }, { hideInput: true })
const edit = describeRoutes("evaluation", { scope: "workspace", role: "editor" }, { hideInput: true })
const params = NamedParameters

/** The differences between the routes for targets and for configurations. */
interface DocumentKind<Body extends DocumentBody> {
  readonly path: string
  readonly noun: string
  readonly documents: CallerDocuments<Body>
  readonly body: TSchema
  readonly update: TSchema
  readonly item: TSchema
  readonly page: TSchema
}

const addressOf = ({ params }: FastifyRequest) => {
  const { ws: workspace, name } = params as { ws: string; name: string }
  return { workspace, name }
}

function documentRoutes<Body extends DocumentBody>(
  app: App,
  { path, noun, documents, body, update, item, page }: DocumentKind<Body>,
  preValidation: ReturnType<typeof readBodyForms>,
): void {
  const one = `${path}/:ws/:name`
  app.post(
    path,
    { ...create({ summary: `Create an evaluation ${noun}`, body, response: created(item) }), preValidation },
    async (request, reply) => reply.code(201).send(await documents.create(request.body as Body, jobCallerOf(request))),
  )
  app.get(
    path,
    list({
      summary: `List ${noun}s of all namespaces that the caller may see`,
      querystring: ListingParameters,
      response: ok(page),
    }),
    (request) => documents.list(listingOf(request), jobCallerOf(request)),
  )
  app.get(one, read({ summary: `Get a ${noun}`, params, response: ok(item) }), (request) =>
    documents.get(addressOf(request)),
  )
  app.patch(
    one,
    edit({
      summary: `Update a ${noun}; jobs that were already launched with it do not change`,
      params,
      body: update,
      response: ok(item),
    }),
    (request) => documents.update(addressOf(request), request.body as Record<string, unknown>, jobCallerOf(request)),
  )
  app.delete(
    one,
    edit({ summary: `Delete a ${noun}`, params, response: ok(DeletedEvaluationDocument) }),
    async (request) => {
      const removed = await documents.remove(addressOf(request))
      return { ...removed, message: "Resource deleted successfully.", deleted_at: null }
    },
  )
}

/** Defines the routes for stored targets and configurations, under `/v1/evaluation`. */
export function evaluationDocumentRoutes(app: App, { evaluations, defaultInferenceUrl }: Services): void {
  const preValidation = readBodyForms(defaultInferenceUrl)
  const targets = {
    path: "/targets",
    noun: "target",
    documents: evaluations.targets,
    body: EvaluationTargetBody,
    update: UpdateEvaluationTarget,
    item: EvaluationTarget,
    page: EvaluationTargetPage,
  }
  const configs = {
    path: "/configs",
    noun: "configuration",
    documents: evaluations.configs,
    body: EvaluationConfigBody,
    update: UpdateEvaluationConfig,
    item: EvaluationConfig,
    page: EvaluationConfigPage,
  }
  documentRoutes(app, targets, preValidation)
  documentRoutes(app, configs, preValidation)
}
