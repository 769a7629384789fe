import { clientSignal } from "@assay/http/node"
import { FilesetCache } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { registryOf } from "../auth/secret-rights.ts"
import { refuseBody } from "../http/refuse-body.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { errorResponses, NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const CACHE_PATH = "/workspaces/:ws/filesets/:name/cache"

const read = describeRoutes("filesets", { scope: "workspace", role: "viewer" })
const edit = describeRoutes("filesets", { scope: "workspace", role: "editor" })
const params = NamedParameters

/** Defines the routes for the read cache of a fileset on remote storage: its status, filling it, and emptying it. */
export function filesetCacheRoutes(app: App, { registry }: Services): void {
  const cachesOf = (request: FastifyRequest) => registryOf({ registry }, request).caches

  app.get(
    CACHE_PATH,
    read({ summary: "Get how many files of a fileset are in the read cache", params, response: ok(FilesetCache) }),
    (request) => cachesOf(request).get(request.params.ws, request.params.name),
  )
  app.post(
    CACHE_PATH,
    {
      ...edit({
        summary: "Copy all files of a fileset into the read cache, in the background",
        params,
        response: { 202: FilesetCache, ...errorResponses },
      }),
      preValidation: refuseBody,
    },
    async (request, reply) =>
      reply.code(202).send(await cachesOf(request).warm(request.params.ws, request.params.name)),
  )
  app.delete(
    CACHE_PATH,
    edit({
      summary: "Remove the files of a fileset from the read cache, for all filesets with the same files",
      params,
      response: ok(FilesetCache),
    }),
    (request, reply) => {
      const { ws, name } = request.params
      return cachesOf(request).drop(ws, name, { signal: clientSignal(reply.raw) })
    },
  )
}
