import { secretRightsOf } from "@assay/access"
import {
  GUARDRAIL_FILTER_FIELDS,
  GuardrailConfiguration,
  GuardrailConfigurationPage,
  parseFilter,
  UpdateGuardrailConfiguration,
  type CreateGuardrailConfiguration,
} from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { dropNulls } from "../http/drop-nulls.ts"
import { created, filterParameters, FilterQuery, ok, RecordsQuery } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import type { GuardrailScope } from "./guardrail-routes.ts"

const ListQuery = Type.Intersect([RecordsQuery, FilterQuery])

/** The deleted record, with the message that the original platform returns instead of it. */
const RemovedGuardrail = Type.Intersect([
  GuardrailConfiguration,
  Type.Object({ message: Type.String(), deleted_at: Type.Null() }),
])

const nameOf = ({ params }: FastifyRequest) => (params as { name: string }).name
const rightsOf = (request: FastifyRequest) => secretRightsOf(callerOf(request))

/** Defines the routes for guardrail configurations, at one path. */
export function guardrailConfigRoutes(app: App, { guardrails }: Services, scope: GuardrailScope): void {
  const { configurations } = guardrails
  const { path, params, workspaceOf, present } = scope
  const { read, administer } = describers(scope)

  app.post(
    `${path}/configs`,
    {
      ...administer({
        summary: "Create a guardrail configuration",
        description:
          "`data` is a configuration of NeMo Guardrails, or one in the same form. Unsupported parts that would decide a verdict are " +
          "refused by name. `warnings` in the response list the parts that have no effect.",
        params,
        body: scope.createBody,
        response: created(GuardrailConfiguration),
      }),
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const body = request.body as CreateGuardrailConfiguration
      const made = await configurations.create(workspaceOf(request), body, rightsOf(request))
      return reply.code(201).send(present(made))
    },
  )
  app.get(
    `${path}/configs`,
    read({
      summary: "List guardrail configurations",
      params,
      querystring: ListQuery,
      response: ok(GuardrailConfigurationPage),
    }),
    async (request) => {
      const { page, page_size, sort } = request.query
      const filter = parseFilter(filterParameters(request.query), GUARDRAIL_FILTER_FIELDS)
      const found = await configurations.list(workspaceOf(request), { page, page_size, sort, filter })
      return { ...found, data: found.data.map(present), sort }
    },
  )
  for (const item of scope.items) oneConfigRoutes(app, configurations, scope, item)
}

/** Defines the routes for one configuration, at one path. */
function oneConfigRoutes(
  app: App,
  configurations: Services["guardrails"]["configurations"],
  scope: GuardrailScope,
  item: string,
): void {
  const { workspaceOf, present } = scope
  const { read, administer } = describers(scope)
  const path = `${scope.path}${item}`
  const one = { params: scope.itemParams, response: ok(GuardrailConfiguration) }

  app.get(path, read({ summary: "Get a guardrail configuration", ...one }), async (request) =>
    present(await configurations.get(workspaceOf(request), nameOf(request))),
  )
  app.patch(
    path,
    administer({ summary: "Update a guardrail configuration", body: UpdateGuardrailConfiguration, ...one }),
    async (request) => {
      const address = { workspace: workspaceOf(request), name: nameOf(request) }
      return present(await configurations.update(address, request.body, rightsOf(request)))
    },
  )
  app.delete(
    path,
    administer({ summary: "Delete a guardrail configuration", ...one, response: ok(RemovedGuardrail) }),
    async (request) => {
      const removed = present(await configurations.remove(workspaceOf(request), nameOf(request)))
      return { ...removed, message: "Resource deleted successfully.", deleted_at: null }
    },
  )
}

/** Describes the routes that read, and those that change. */
function describers(scope: GuardrailScope) {
  // Somebody can write a key instead of its name. Errors must not repeat it.
  return { read: scope.describe("viewer"), administer: scope.describe("admin", { hideInput: true }) }
}
