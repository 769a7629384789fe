import {
  CHECKSUM_ALGORITHMS,
  parseUploadChecksum,
  parseUploadMetadata,
  type FinishUpload,
  type UploadState,
  type UploadTarget,
} from "@assay/registry"
import { AssayError, fileUrl } from "@assay/schemas"
import { NUMBER_RANGES, readWholeNumber } from "@assay/schemas/numbers"
import { contentTypeOf } from "../errors/content-type.ts"
import type { FastifyReply, FastifyRequest } from "fastify"
import { parseSha256, requestBytes } from "@assay/http/server"
import { registryOf } from "../auth/secret-rights.ts"
import type { App } from "../http/app.ts"
import { describeRoutes } from "../http/describe-routes.ts"
import { streamBodies } from "../http/body-parsers.ts"
import { NamedParameters, UploadParameters } from "../http/route-schemas.ts"
import { reportInvalidRows } from "../rows/report-invalid-rows.ts"
import type { Services } from "../services.ts"

const VERSION = "1.0.0"
const EXTENSIONS = "creation,creation-with-upload,checksum,expiration,termination"
const PIECE_TYPE = "application/offset+octet-stream"
const ALL = "/workspaces/:ws/filesets/:name/uploads"
const ONE = `${ALL}/:id` as const

const edit = describeRoutes("uploads", { scope: "workspace", role: "editor" })
const params = UploadParameters

type FilesetAddress = { readonly ws: string; readonly name: string }
type UploadAddress = FilesetAddress & { readonly id: string }

function wholeNumber(request: FastifyRequest, header: string): number {
  const text = request.headers[header]
  const { minimum, maximum } = NUMBER_RANGES.bytes
  const value = typeof text === "string" ? readWholeNumber(text) : undefined
  if (value !== undefined && value >= minimum) return value
  const message = `The header ${header} '${String(text ?? "").slice(0, 100)}' is not a whole number of bytes from ${minimum} to ${maximum}.`
  throw new AssayError("bad_upload", message)
}

/** @throws `bad_upload` for an upload of an extension that this server does not have: it would become another file */
function refuseExtensions({ headers }: FastifyRequest): void {
  const wanted = ["upload-concat", "upload-defer-length"].find((name) => headers[name] !== undefined)
  if (wanted === undefined) return
  const message = `The header ${wanted} needs an extension of tus that this server does not have; it has ${EXTENSIONS}. Send the file as one upload with Upload-Length.`
  throw new AssayError("bad_upload", message)
}

function stateHeaders(reply: FastifyReply, { record, offset }: UploadState): FastifyReply {
  return reply.headers({ "upload-offset": String(offset), "upload-expires": new Date(record.expiresAt).toUTCString() })
}

/** Defines the routes for resumable uploads: tus 1.0.0 (https://tus.io/protocols/resumable-upload) with the extensions in `EXTENSIONS`. */
export function uploadRoutes(app: App, services: Services): void {
  const { registry, uploads, enforceRows, uploadIdleMs, maxUploadBytes } = services
  streamBodies(app)
  // In every response, also of requests that were refused before they came here.
  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.header("tus-resumable", VERSION)
    done(null, payload)
  })
  app.addHook("preHandler", async (request, reply) => {
    if (request.method !== "OPTIONS" && request.headers["tus-resumable"] !== VERSION) {
      reply.header("tus-version", VERSION)
      throw new AssayError(
        "precondition_failed",
        `Send Tus-Resumable: ${VERSION}; this server supports no other version.`,
      )
    }
  })

  const filesOf = (request: FastifyRequest) => registryOf({ registry }, request).files

  /** Describes an upload as the response to HEAD does. The creation extension requires its metadata there. */
  const describeUpload = (reply: FastifyReply, state: UploadState): FastifyReply => {
    const { length, metadata } = state.record
    const sent = metadata === undefined ? {} : { "upload-metadata": metadata }
    return stateHeaders(reply, state).headers({
      ...sent,
      "upload-length": String(length),
      "cache-control": "no-store",
    })
  }

  async function targetOf({ ws, name }: FilesetAddress): Promise<UploadTarget> {
    const { id } = await registry.filesets.get(ws, name)
    return { workspace: ws, fileset: name, filesetId: id }
  }

  /** Writes a complete upload to the fileset at `address`, with the rights of the sender of `request`. */
  const finishFor =
    (request: FastifyRequest, reply: FastifyReply, address: FilesetAddress): FinishUpload =>
    async ({ path, sha256, filesetId }, bytes) => {
      const { ws, name } = address
      const checked = await enforceRows({ ws, name, path }, bytes, reportInvalidRows(request, reply))
      // While the last piece arrives, the fileset can be renamed, and another one can take its name.
      const meant = filesetId === undefined ? {} : { filesetId }
      await filesOf(request).write(ws, name, path, checked, { ...meant, ...(sha256 === null ? {} : { sha256 }) })
    }

  const find = async (address: UploadAddress, finish: FinishUpload): Promise<UploadState> =>
    uploads.get(address.id, await targetOf(address), finish)

  async function append(
    request: FastifyRequest,
    { id, path }: UploadState["record"],
    offset: number,
    finish: FinishUpload,
  ): Promise<UploadState> {
    const header = request.headers["upload-checksum"]
    const checksum = typeof header === "string" ? parseUploadChecksum(header) : undefined
    const bytes = requestBytes(request.raw, { path, idleMs: uploadIdleMs })
    return uploads.append(id, { offset, bytes, checksum }, finish)
  }

  async function patch(request: FastifyRequest, reply: FastifyReply, address: UploadAddress) {
    if (request.headers["content-type"] !== PIECE_TYPE) {
      const message = `A piece of an upload has Content-Type ${PIECE_TYPE}; this one has ${contentTypeOf(request)}.`
      throw new AssayError("unsupported_media", message)
    }
    const finish = finishFor(request, reply, address)
    const { record } = await find(address, finish)
    const state = await append(request, record, wholeNumber(request, "upload-offset"), finish)
    return stateHeaders(reply, state).code(204).send()
  }

  async function terminate(request: FastifyRequest, reply: FastifyReply, address: UploadAddress) {
    await find(address, finishFor(request, reply, address))
    await uploads.remove(address.id)
    return reply.code(204).send()
  }

  const describe = (reply: FastifyReply) =>
    reply
      .headers({
        "tus-version": VERSION,
        "tus-extension": EXTENSIONS,
        "tus-checksum-algorithm": CHECKSUM_ALGORITHMS.join(","),
        ...(maxUploadBytes === undefined ? {} : { "tus-max-size": String(maxUploadBytes) }),
      })
      .code(204)
      .send()

  app.options(
    ALL,
    edit({ summary: "Get the tus version and extensions of this server", params: NamedParameters }),
    (_request, reply) => describe(reply),
  )
  app.post(ALL, edit({ summary: "Start a resumable upload", params: NamedParameters }), async (request, reply) => {
    const { ws, name } = request.params
    refuseExtensions(request)
    const length = wholeNumber(request, "upload-length")
    const header = request.headers["upload-metadata"]
    const metadata = Array.isArray(header) ? header.join(",") : header
    const { path, sha256: digest } = parseUploadMetadata(metadata)
    const sha256 = digest === undefined ? null : parseSha256(digest, "Upload-Metadata sha256")
    if (maxUploadBytes !== undefined && length > maxUploadBytes) {
      throw new AssayError(
        "too_large",
        `Upload-Length ${length} is above ${maxUploadBytes} bytes, the maximum of this server (ASSAY_MAX_UPLOAD_BYTES).`,
      )
    }
    await filesOf(request).checkWritable(ws, name)
    const finish = finishFor(request, reply, request.params)
    const target = await targetOf(request.params)
    let state = await uploads.create({ ...target, path, length, sha256, metadata: metadata ?? "" }, finish)
    if (request.headers["content-type"] === PIECE_TYPE && length > 0)
      state = await append(request, state.record, 0, finish)
    const location = `${fileUrl(ws, name, "x").replace(/\/-\/x$/, "")}/uploads/${state.record.id}`
    return stateHeaders(reply, state).code(201).header("location", location).send()
  })
  app.head(ONE, edit({ summary: "Get the offset of a resumable upload", params }), async (request, reply) => {
    const state = await find(request.params, finishFor(request, reply, request.params))
    return describeUpload(reply, state).send()
  })
  app.patch(
    ONE,
    edit({ summary: "Send the next piece of a resumable upload", consumes: [PIECE_TYPE], params }),
    (request, reply) => patch(request, reply, request.params),
  )
  app.delete(ONE, edit({ summary: "Delete a resumable upload", params }), (request, reply) =>
    terminate(request, reply, request.params),
  )
  // For clients behind proxies that pass only GET and POST (tus core protocol, X-HTTP-Method-Override).
  app.post(ONE, edit({ summary: "PATCH or DELETE by X-HTTP-Method-Override", params }), (request, reply) => {
    const method = request.headers["x-http-method-override"]
    if (method === "PATCH") return patch(request, reply, request.params)
    if (method === "DELETE") return terminate(request, reply, request.params)
    throw new AssayError("method_not_allowed", "POST to an upload needs X-HTTP-Method-Override: PATCH or DELETE.")
  })
}
