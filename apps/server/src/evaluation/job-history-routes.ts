import { clientSignal } from "@assay/http/node"
import { JobTrend, Leaderboard } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { jobCallerOf } from "./evaluation-requests.ts"

const read = describeRoutes("evaluation", { scope: "workspace", role: "viewer" })

const params = Type.Object({ ws: Type.String() })
const chosen = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const dataset = "A dataset of a task, as `workspace/fileset/path`."
const TrendQuery = Type.Object({
  config: chosen("The name of a stored configuration."),
  dataset: chosen(dataset),
  name: chosen("The description of the jobs."),
  baseline: chosen("A baseline: the jobs that it points or has pointed to."),
})
const LeaderboardQuery = Type.Object({
  dataset: Type.String({ minLength: 1, description: dataset }),
  score: chosen("`task.metric.score`. Default: the first score of the newest job that is not an amount."),
})

/** Defines the routes for what the jobs of a workspace found over time. */
export function jobHistoryRoutes(app: App, { evaluations: { history } }: Services): void {
  app.get(
    "/trends/:ws",
    read({
      summary: "Get scores, cost and failures of jobs over time",
      params,
      querystring: TrendQuery,
      response: ok(JobTrend),
    }),
    (request) => history.trend({ workspace: request.params.ws, ...request.query }, jobCallerOf(request)),
  )
  app.get(
    "/leaderboards/:ws",
    read({
      summary: "Rank the latest jobs over a dataset, in groups that paired tests do not tell apart",
      params,
      querystring: LeaderboardQuery,
      response: ok(Leaderboard),
    }),
    (request, reply) =>
      history.leaderboard(
        { workspace: request.params.ws, ...request.query },
        jobCallerOf(request),
        clientSignal(reply.raw),
      ),
  )
}
