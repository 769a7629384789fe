import { getObject, lfsBatch, parseGitRepository, type Repository } from "@assay/hub"
import { requireRole } from "@assay/access"
import { AssayError, LfsBatchAnswer, LfsBatchBody, numberField } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyRequest } from "fastify"
import { callerOf } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { sendFile } from "../../http/send-file.ts"
import type { Services } from "../../services.ts"
import { hubUrl } from "../hub-address.ts"
import { GitParameters, lfsAccess } from "../hub-request.ts"
import { createXetAddress, xetHeaders } from "../xet/token-routes.ts"

const tags = ["hub"]
const MEDIA_TYPE = "application/vnd.git-lfs+json"

const VerifyBody = Type.Object({ oid: Type.String(), size: Type.Optional(numberField("bytes")) })

const LockParameters = Type.Object({ ...GitParameters.properties, id: Type.Optional(Type.String()) })

/** Defines the batch API of Git LFS, and the routes for objects by their digest: contents of files, and pending objects. */
export function lfsRoutes(app: App, services: Services): void {
  batchRoutes(app, services)
  objectRoutes(app, services)
  lockRoutes(app)
}

function batchRoutes(app: App, services: Services): void {
  const { maxUploadBytes: maxBytes } = services
  for (const type of ["", "/datasets", "/spaces"]) {
    app.post(
      `${type}/:ws/:repo/info/lfs/objects/batch`,
      {
        config: lfsAccess("viewer"),
        schema: {
          tags,
          summary: "Get URLs to upload or download LFS objects",
          params: GitParameters,
          body: LfsBatchBody,
          response: { 200: LfsBatchAnswer },
        },
      },
      async (request, reply) => {
        const { authorization } = request.headers
        const stores = storesOf(services, request, request.params)
        const checkMayWrite = () => requireRole(callerOf(request), stores.repository.ws, "editor")
        const xetUpload = createXetUpload(services, request, stores.repository)
        const context = { ...stores, checkMayWrite, authorization, hub: hubUrl(request), maxBytes, xetUpload }
        const answer = await lfsBatch(context, request.body)
        reply.type(MEDIA_TYPE)
        return answer
      },
    )
  }
}

/** Returns a function that makes one token for all objects of a batch. Clients get the next token at the same address. */
function createXetUpload(services: Services, request: FastifyRequest, { ws, name }: Repository) {
  let made: Promise<Record<string, string>> | undefined
  return async () => {
    made ??= createXetAddress(services, request, { ws, name, right: "write" }).then(xetHeaders)
    return { href: `${hubUrl(request)}/api/models/${ws}/${name}/xet-write-token/main`, header: await made }
  }
}

/** Defines the routes that read an object, and check that one has arrived. */
function objectRoutes(app: App, services: Services): void {
  app.get(
    "/:ws/:repo/info/lfs/objects/:oid",
    {
      config: lfsAccess("viewer"),
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Read an object",
        params: Type.Object({ ...GitParameters.properties, oid: Type.String() }),
      },
    },
    async (request, reply) => {
      const object = await getObject(storesOf(services, request, request.params), request.params.oid)
      return sendFile(object, { request, reply, outgoing: services.outgoing, now: services.now })
    },
  )
  app.post(
    "/:ws/:repo/info/lfs/objects/verify",
    {
      config: lfsAccess("editor"),
      schema: { tags, summary: "Check that an object has arrived", params: GitParameters, body: VerifyBody },
    },
    async (request, reply) => {
      const { oid, size } = request.body
      const object = await getObject(storesOf(services, request, request.params), oid)
      if (size === undefined || size === object.size) return reply.send({})
      throw new AssayError("bad_request", `Object ${oid} has ${object.size} bytes, not ${size}.`)
    },
  )
}

/** Returns where the objects of a repository are: in its files, and among the pending ones. */
function storesOf(services: Services, request: FastifyRequest, params: { readonly ws: string; readonly repo: string }) {
  const { pendingObjects } = services
  return { registry: registryOf(services, request), pendingObjects, repository: parseGitRepository(params) }
}

/** Defines the routes for locks of files, which do not exist here. Git LFS stops to ask a server that says so with 501. */
function lockRoutes(app: App): void {
  for (const [method, path] of [
    ["GET", "locks"],
    ["POST", "locks"],
    ["POST", "locks/verify"],
    ["POST", "locks/:id/unlock"],
  ] as const) {
    app.route({
      method,
      url: `/:ws/:repo/info/lfs/${path}`,
      config: lfsAccess("viewer"),
      // Not described, because it never succeeds.
      schema: { hide: true, params: LockParameters },
      handler: () => {
        throw new AssayError(
          "unsupported",
          "This server has no file locks; agree on who changes a file in another way.",
        )
      },
    })
  }
}
