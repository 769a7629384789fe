import { clientSignal } from "@assay/http/node"
import { JobShardPage, numberField } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, ok } from "../http/route-schemas.ts"
import { sendPieces } from "../http/send-pieces.ts"
import type { Services } from "../services.ts"
import { JobParameters, jobCallerOf } from "./evaluation-requests.ts"

// The workspace of a job is known only after it is found. Rights are checked then.
const read = describeRoutes("evaluation", { scope: "any" })

const ShardsQuery = Type.Object({
  offset: numberField("offset", { default: 0, description: "Number of shards before the page." }),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of shards." }),
})
const ShardParameters = Type.Object({
  ...JobParameters.properties,
  index: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
})

/** Defines the routes for the shards of jobs, also while they run. */
export function shardRoutes(app: App, { evaluations: { shards }, registry }: Services): void {
  app.get(
    "/jobs/:id/shards",
    read({
      summary: "List the shards of a job with their states and locations, also while it runs",
      params: JobParameters,
      querystring: ShardsQuery,
      response: ok(JobShardPage),
    }),
    async (request, reply) => shards.list(request.params.id, request.query, callOf(request, reply)),
  )
  app.get(
    "/jobs/:id/shards/:index/log",
    {
      ...read({
        summary: "Get what the processes of a shard have written, the last attempt last",
        params: ShardParameters,
        response: {
          200: {
            description: "Text. Workers of servers write into the log of the job, which is then returned.",
            content: { "text/plain": { schema: Type.String({ format: "binary" }) } },
          },
          ...errorResponses,
        },
      }),
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { id, index } = request.params
      const call = callOf(request, reply)
      const own = await shards.log(id, index, call)
      const { jobOutputs } = await import("@assay/jobs")
      const pieces =
        own ?? jobOutputs.log(registry.jobs, id, { tail: undefined, isFollowed: false, signal: call.signal })
      return sendPieces(reply, pieces, {
        "content-type": "text/plain; charset=utf-8",
        "x-content-type-options": "nosniff",
      })
    },
  )
}

function callOf(request: FastifyRequest, reply: FastifyReply) {
  return { caller: jobCallerOf(request), signal: clientSignal(reply.raw) }
}
