import { EndpointModels, EndpointModelsBody, WorkspaceName } from "@assay/schemas"
import { clientSignal } from "@assay/http/node"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf } from "./evaluation-requests.ts"

// Somebody can write a key instead of its name. Errors must not repeat it.
const list = describeRoutes("evaluation", { scope: "workspace", role: "editor" }, { hideInput: true })

/** Defines the route that asks an endpoint which models it has. */
export function modelListRoutes(app: App, { evaluations }: Services): void {
  app.post(
    "/models/:ws",
    list({
      summary: "List the models of an endpoint that jobs of a workspace could ask",
      params: Type.Object({ ws: WorkspaceName }),
      body: EndpointModelsBody,
      response: ok(EndpointModels),
    }),
    (request, reply) =>
      evaluations.listModels(request.params.ws, request.body, {
        caller: jobCallerOf(request),
        signal: clientSignal(reply.raw),
      }),
  )
}
