import { AssayError } from "@assay/schemas"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { streamBodies } from "../http/body-parsers.ts"
import { NamedParameters, UploadParameters } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { announceDigest, appendPiece, describeUpload, startUpload, terminateUpload } from "./answer-uploads.ts"
import { PIECE_TYPE, requireTusVersion, sendSupport } from "./tus-protocol.ts"

const ALL = "/workspaces/:ws/filesets/:name/uploads"
const ONE = `${ALL}/:id` as const
const DIGEST = `${ONE}/digest` as const

const edit = describeRoutes("uploads", { scope: "workspace", role: "editor" })
const params = UploadParameters

/** Defines the routes for resumable uploads: tus 1.0.0 (https://tus.io/protocols/resumable-upload) with some of its extensions. */
export function uploadRoutes(app: App, services: Services): void {
  streamBodies(app)
  requireTusVersion(app)
  app.options(
    ALL,
    edit({ summary: "Get the tus version and extensions of this server", params: NamedParameters }),
    (_request, reply) => sendSupport(reply, services.maxUploadBytes),
  )
  app.post(ALL, edit({ summary: "Start a resumable upload", params: NamedParameters }), (request, reply) =>
    startUpload(services, { request, reply, address: request.params }),
  )
  app.head(ONE, edit({ summary: "Get the offset of a resumable upload", params }), (request, reply) =>
    describeUpload(services, { request, reply, address: request.params }),
  )
  app.patch(
    ONE,
    edit({ summary: "Send the next piece of a resumable upload", consumes: [PIECE_TYPE], params }),
    (request, reply) => appendPiece(services, { request, reply, address: request.params }),
  )
  app.put(
    DIGEST,
    edit({
      summary: "Announce the digest of a resumable upload",
      description:
        "For clients that compute the SHA-256 of the file while they send it: in `X-Checksum-Sha256`, before the last byte. The file appears only if its bytes have this digest.",
      params,
    }),
    (request, reply) => announceDigest(services, { request, reply, address: request.params }),
  )
  app.delete(ONE, edit({ summary: "Delete a resumable upload", params }), (request, reply) =>
    terminateUpload(services, { request, reply, address: request.params }),
  )
  // For clients behind proxies that pass only GET and POST (tus core protocol, X-HTTP-Method-Override).
  app.post(ONE, edit({ summary: "PATCH or DELETE by X-HTTP-Method-Override", params }), (request, reply) => {
    const exchange = { request, reply, address: request.params }
    const method = request.headers["x-http-method-override"]
    if (method === "PATCH") return appendPiece(services, exchange)
    if (method === "DELETE") return terminateUpload(services, exchange)
    throw new AssayError("method_not_allowed", "POST to an upload needs X-HTTP-Method-Override: PATCH or DELETE.")
  })
}
