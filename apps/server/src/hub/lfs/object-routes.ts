import { checkAnnouncedLength, requestBytes } from "@assay/http/node"
import type { PendingUpload } from "@assay/uploads"
import { isObjectId, keepObject, parseGitRepository, partOf } from "@assay/hub"
import { AssayError, numberField } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { access } from "../../auth/access.ts"
import { registryOf } from "../../auth/secret-rights.ts"
import type { App } from "../../http/app.ts"
import { streamBodies } from "../../http/body-parsers.ts"
import type { Services } from "../../services.ts"
import { GitParameters, lfsAccess } from "../hub-request.ts"

const tags = ["hub"]
/** The key in the URL grants access, because clients send no token to it. Logs show only the pattern of the URL. */
const open = { ...access({ scope: "public" }), logPattern: true }

const ObjectParameters = Type.Object({
  fileset: Type.String({ pattern: "^[A-Za-z0-9-]+$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  size: numberField("bytes"),
  key: Type.String(),
})
const PartParameters = Type.Object({ ...ObjectParameters.properties, part: numberField("count", { maximum: 100_000 }) })

const OBJECT = "/lfs/:fileset/:sha256/:size/:key"

const KeptQuery = Type.Object({ size: Type.Optional(numberField("bytes")) })

/** Defines the routes to which the batch API sends clients for uploads. */
export function objectRoutes(app: App, services: Services): void {
  const { pendingObjects, uploadIdleMs } = services
  streamBodies(app)
  keptObjectRoute(app, services)

  const bytesOf = ({ raw, params }: FastifyRequest<{ Params: PendingUpload }>) =>
    requestBytes(raw, { path: params.sha256, idleMs: uploadIdleMs })

  app.put(
    OBJECT,
    {
      config: open,
      schema: {
        tags,
        summary: "Send a whole object",
        consumes: ["application/octet-stream"],
        params: ObjectParameters,
      },
    },
    async (request, reply) => {
      await pendingObjects.put(request.params, bytesOf(request))
      return sendEtag(reply, request.params.sha256)
    },
  )
  app.put(
    `${OBJECT}/:part`,
    {
      config: open,
      schema: { tags, summary: "Send a part", consumes: ["application/octet-stream"], params: PartParameters },
    },
    async (request, reply) => {
      const { sha256, size, part: number } = request.params
      const part = partOf(size, number)
      if (part === undefined) throw new AssayError("not_found", `An object of ${size} bytes has no part ${number}.`)
      await pendingObjects.putPart(request.params, part, bytesOf(request))
      return sendEtag(reply, `${sha256}-${number}`)
    },
  )
  app.post(
    OBJECT,
    { config: open, schema: { tags, summary: "Make an object from its parts", params: ObjectParameters } },
    async (request, reply) => {
      await pendingObjects.complete(request.params)
      return reply.send({})
    },
  )
}

/** Defines the route for objects that no commit will name. */
function keptObjectRoute(app: App, services: Services): void {
  app.put(
    "/:ws/:repo/info/lfs/objects/:oid",
    {
      config: lfsAccess("editor"),
      schema: {
        tags,
        summary: "Keep an object of Git LFS as a file",
        consumes: ["application/octet-stream"],
        params: Type.Object({ ...GitParameters.properties, oid: Type.String() }),
        querystring: KeptQuery,
      },
    },
    async (request, reply) => {
      const { params, query, raw } = request
      const { oid } = params
      if (!isObjectId(oid)) throw new AssayError("bad_request", `'${oid}' is not a SHA-256 in lower-case hex.`)
      const { uploadIdleMs: idleMs, maxUploadBytes: maxBytes } = services
      const limits = { path: oid, idleMs, maxBytes, setting: "ASSAY_MAX_UPLOAD_BYTES" }
      const size = checkAnnouncedLength(raw, limits)
      const stores = { registry: registryOf(services, request), repository: parseGitRepository(params) }
      await keepObject(stores, { oid, size: query.size ?? size }, requestBytes(raw, limits))
      return sendEtag(reply, oid)
    },
  )
}

/** Sends an ETag. Clients require one for each part, and send it back. */
function sendEtag(reply: FastifyReply, etag: string): FastifyReply {
  return reply.header("etag", `"${etag}"`).code(200).send()
}
