import type { ChoiceRequest } from "@assay/guardrails"
import { clientSignal } from "@assay/http/node"
import { AskableModel, AskableModelList, AssayError } from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import type { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

/** An address below which models are listed, and the guardrail whose endpoint lists them. */
export interface ModelScope {
  readonly path: string
  readonly params: TSchema
  readonly querystring?: TSchema
  readonly describe: ReturnType<typeof describeRoutes>
  readonly choiceOf: (request: FastifyRequest) => ChoiceRequest
}

/** Defines the routes for the models that can be asked through a guardrail. */
export function askableModelRoutes(app: App, { guardrails }: Services, scope: ModelScope): void {
  const list = async (request: FastifyRequest, signal: AbortSignal): Promise<readonly AskableModel[]> => {
    const names = await guardrails.listModels(scope.choiceOf(request), { signal })
    return names.map((id) => ({ id, object: "model", created: 0, owned_by: "assay" }))
  }
  const { path, params, describe, querystring } = scope
  const query = querystring === undefined ? {} : { querystring }
  app.get(
    `${path}/models`,
    describe({
      summary: "List the models that can be asked through a guardrail",
      params,
      ...query,
      response: ok(AskableModelList),
    }),
    async (request, reply) => {
      const data = await list(request, clientSignal(reply.raw))
      return { object: "list" as const, data: [...data] }
    },
  )
  const get = async (request: FastifyRequest, model: string, signal: AbortSignal): Promise<AskableModel> => {
    const found = (await list(request, signal)).find(({ id }) => id === model)
    if (found !== undefined) return found
    throw new AssayError("not_found", `There is no model '${model}' behind this guardrail; GET models lists them`)
  }
  const one = {
    summary: "Get a model that can be asked through a guardrail",
    ...query,
    response: ok(AskableModel),
  }
  app.get(
    `${path}/models/:model`,
    describe({ ...one, params: Type.Intersect([params, Type.Object({ model: Type.String() })]) }),
    (request, reply) => {
      const { model }: { model: string } = request.params
      return get(request, model, clientSignal(reply.raw))
    },
  )
  // Names such as `meta/llama-3.1-8b`. Some clients send their slashes as they are.
  app.get(
    `${path}/models/*`,
    describe({ ...one, params: Type.Intersect([params, Type.Object({ "*": Type.String() })]), hide: true }),
    (request, reply) => {
      const { "*": model }: { "*": string } = request.params
      return get(request, model, clientSignal(reply.raw))
    },
  )
}
