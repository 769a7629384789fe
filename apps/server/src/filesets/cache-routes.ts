import { clientSignal } from "@assay/http/server"
import { FilesetCache } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { access } from "../auth/access.ts"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { errorResponses, NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"

const tags = ["filesets"]
const read = access({ scope: "workspace", role: "viewer" })
const edit = access({ scope: "workspace", role: "editor" })

const CACHE_PATH = "/workspaces/:ws/filesets/:name/cache"

/** Defines the routes for the read cache of a fileset on remote storage: its status, filling it, and emptying it. */
export function filesetCacheRoutes(app: App, { registry }: Services): void {
  const cachesOf = (request: FastifyRequest) => registryOf({ registry }, request).caches
  const schema = { tags, params: NamedParameters }

  app.get(
    CACHE_PATH,
    {
      config: read,
      schema: {
        ...schema,
        summary: "Get how many files of a fileset are in the read cache",
        response: ok(FilesetCache),
      },
    },
    (request) => cachesOf(request).get(request.params.ws, request.params.name),
  )
  app.post(
    CACHE_PATH,
    {
      config: edit,
      schema: {
        ...schema,
        summary: "Copy all files of a fileset into the read cache, in the background",
        response: { 202: FilesetCache, ...errorResponses },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await cachesOf(request).warm(request.params.ws, request.params.name)),
  )
  app.delete(
    CACHE_PATH,
    {
      config: edit,
      schema: {
        ...schema,
        summary: "Remove the files of a fileset from the read cache, for all filesets with the same files",
        response: ok(FilesetCache),
      },
    },
    (request, reply) => {
      const { ws, name } = request.params
      return cachesOf(request).drop(ws, name, { signal: clientSignal(reply.raw) })
    },
  )
}
