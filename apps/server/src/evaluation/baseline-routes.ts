import { Baseline, BaselineList, SetBaselineBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf } from "./evaluation-requests.ts"

const read = describeRoutes("evaluation", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("evaluation", { scope: "workspace", role: "editor" })
const params = NamedParameters

const addressOf = ({ params }: FastifyRequest) => {
  const { ws: workspace, name } = params as { ws: string; name: string }
  return { workspace, name }
}

/** Defines the routes for names of results that later jobs are compared with. */
export function baselineRoutes(app: App, { evaluations: { baselines } }: Services): void {
  app.get(
    "/baselines/:ws",
    read({
      summary: "List the baselines of a workspace",
      params: Type.Object({ ws: Type.String() }),
      response: ok(BaselineList),
    }),
    (request) => baselines.list(request.params.ws, jobCallerOf(request)),
  )
  const one = "/baselines/:ws/:name"
  app.get(one, read({ summary: "Get a baseline with its history", params, response: ok(Baseline) }), (request) =>
    baselines.get(addressOf(request), jobCallerOf(request)),
  )
  app.put(
    one,
    edit({
      summary: "Create a baseline, or move it to another job",
      params,
      body: SetBaselineBody,
      response: ok(Baseline),
    }),
    (request) => {
      const { name } = callerOf(request)
      return baselines.set(addressOf(request), request.body.job, { ...jobCallerOf(request), name })
    },
  )
  app.delete(one, edit({ summary: "Delete a baseline; its job stays", params, response: ok(Baseline) }), (request) =>
    baselines.remove(addressOf(request), jobCallerOf(request)),
  )
}
