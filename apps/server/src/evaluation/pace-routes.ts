import { PaceExchange, PaceLease, WorkspaceName } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

// Callers who may launch jobs may also ask endpoints: a false report does no more than many requests.
const launch = describeRoutes("evaluation", { scope: "workspace", role: "editor" }, { isFrequent: true })

/** Defines the route by which shards on other machines share the rates of the endpoints that they ask. */
export function paceRoutes(app: App, { workspacePaces }: Services): void {
  app.post(
    "/paces/:ws",
    launch({
      summary: "Report what an endpoint accepts and refuses, and get turns for requests to it",
      params: Type.Object({ ws: WorkspaceName }),
      body: PaceExchange,
      response: ok(PaceLease),
    }),
    (request) => workspacePaces.exchange(request.params.ws, request.body),
  )
}
