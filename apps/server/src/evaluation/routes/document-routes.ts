import {
  DeletedEvaluationDocument,
  DOCUMENT_LISTING,
  EvaluationConfig,
  EvaluationConfigBody,
  EvaluationConfigPage,
  EvaluationTarget,
  EvaluationTargetBody,
  EvaluationTargetPage,
  parseListingQuery,
  UpdateEvaluationConfig,
  UpdateEvaluationTarget,
  type ListingSort,
} from "@assay/schemas"
import type { DocumentBody } from "@assay/evaluation"
import type { Registry } from "@assay/registry"
import type { TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../../http/app.ts"
import { access, callerOf } from "../../auth/access.ts"
import { checkNamespace } from "../caller-rights.ts"
import type { CallerDocuments } from "../create-evaluations.ts"
import { ListingParameters, queryPairs } from "../list-jobs.ts"
import { readEvaluationBody } from "../read-body.ts"
import { errorResponses } from "../../http/route-schemas.ts"
import { NamedParameters } from "../../http/route-schemas.ts"
import type { Services } from "../../services.ts"

const tags = ["evaluation"]
const read = access({ scope: "workspace", role: "viewer" })
// Somebody can write a key in place of its name. Errors must not repeat it.
const edit = { ...access({ scope: "workspace", role: "editor" }), hideInput: true }
const create = { ...access({ scope: "any" }), hideInput: true }

/** The differences between the routes for targets and for configurations. */
interface DocumentPlace {
  readonly path: string
  readonly noun: string
  readonly body: TSchema
  readonly update: TSchema
  readonly item: TSchema
  readonly page: TSchema
}

const TARGETS: DocumentPlace = {
  path: "/targets",
  noun: "target",
  body: EvaluationTargetBody,
  update: UpdateEvaluationTarget,
  item: EvaluationTarget,
  page: EvaluationTargetPage,
}

const CONFIGS: DocumentPlace = {
  path: "/configs",
  noun: "configuration",
  body: EvaluationConfigBody,
  update: UpdateEvaluationConfig,
  item: EvaluationConfig,
  page: EvaluationConfigPage,
}

const addressOf = ({ params }: FastifyRequest) => {
  const { ws: namespace, name } = params as { ws: string; name: string }
  return { namespace, name }
}

function documentRoutes<Body extends DocumentBody>(
  app: App,
  registry: Registry,
  documents: CallerDocuments<Body>,
  place: DocumentPlace,
  readBody: (body: unknown) => unknown,
): void {
  const { path, noun } = place
  app.post(
    path,
    {
      config: create,
      preValidation: (request, _reply, done) => {
        request.body = readBody(request.body)
        done()
      },
      schema: {
        tags,
        summary: `Create an evaluation ${noun}`,
        body: place.body,
        response: { 201: place.item, ...errorResponses },
      },
    },
    async (request, reply) => {
      const body = request.body as Body
      const { namespace = "default" } = body
      const caller = callerOf(request)
      await checkNamespace(registry, namespace, caller)
      return reply.code(201).send(await documents.create(namespace, body, caller))
    },
  )
  app.get(
    path,
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: `List ${noun}s of all namespaces that the caller may see`,
        querystring: ListingParameters,
        response: { 200: place.page, ...errorResponses },
      },
    },
    async (request) => {
      const { page, page_size, sort } = request.query as { page: number; page_size: number; sort: ListingSort }
      const { query, ...echoed } = parseListingQuery(
        queryPairs(request.query as Record<string, unknown>),
        DOCUMENT_LISTING,
      )
      const found = await documents.list({ page, page_size, sort, where: query }, callerOf(request))
      return { object: "list" as const, ...found, sort, ...echoed }
    },
  )
  const item = `${path}/:ws/:name`
  app.get(
    item,
    {
      config: read,
      schema: {
        tags,
        summary: `Get a ${noun}`,
        params: NamedParameters,
        response: { 200: place.item, ...errorResponses },
      },
    },
    (request) => documents.get(addressOf(request)),
  )
  app.patch(
    item,
    {
      config: edit,
      schema: {
        tags,
        summary: `Update a ${noun}; jobs that were already launched with it do not change`,
        params: NamedParameters,
        body: place.update,
        response: { 200: place.item, ...errorResponses },
      },
    },
    (request) => documents.update(addressOf(request), request.body as Record<string, unknown>, callerOf(request)),
  )
  app.delete(
    item,
    {
      config: edit,
      schema: {
        tags,
        summary: `Delete a ${noun}`,
        params: NamedParameters,
        response: { 200: DeletedEvaluationDocument, ...errorResponses },
      },
    },
    async (request) => {
      const removed = await documents.remove(addressOf(request))
      return { ...removed, message: "Resource deleted successfully.", deleted_at: null }
    },
  )
}

/** Defines the routes for stored targets and configurations, under `/v1/evaluation`. */
export function evaluationDocumentRoutes(app: App, { registry, evaluations, defaultInferenceUrl }: Services): void {
  const readBody = (body: unknown) => readEvaluationBody(body, defaultInferenceUrl)
  documentRoutes(app, registry, evaluations.targets, TARGETS, readBody)
  documentRoutes(app, registry, evaluations.configs, CONFIGS, readBody)
}
