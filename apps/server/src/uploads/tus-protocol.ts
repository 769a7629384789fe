import { CHECKSUM_ALGORITHMS, type UploadState } from "@assay/uploads"
import { AssayError } from "@assay/schemas"
import { NUMBER_RANGES, readWholeNumber } from "@assay/json"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "../http/app.ts"

const VERSION = "1.0.0"
const EXTENSIONS = "creation,creation-with-upload,checksum,expiration,termination"

/** The media type of a piece of an upload. */
export const PIECE_TYPE = "application/offset+octet-stream"

/** Sends the version of tus in every response, and refuses requests of another version. */
export function requireTusVersion(app: App): void {
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
}

/** Returns the number of bytes in a header field. @throws `bad_upload` */
export function bytesIn({ headers }: FastifyRequest, header: string): number {
  const text = headers[header]
  const { minimum, maximum } = NUMBER_RANGES.bytes
  const value = typeof text === "string" ? readWholeNumber(text) : undefined
  if (value !== undefined && value >= minimum) return value
  const message = `The header ${header} '${String(text ?? "").slice(0, 100)}' is not a whole number of bytes from ${minimum} to ${maximum}.`
  throw new AssayError("bad_upload", message)
}

/** @throws `bad_upload` for an upload of an extension that this server does not have: it would become another file */
export function refuseExtensions({ headers }: FastifyRequest): void {
  const wanted = ["upload-concat", "upload-defer-length"].find((name) => headers[name] !== undefined)
  if (wanted === undefined) return
  const message = `The header ${wanted} needs an extension of tus that this server does not have; it has ${EXTENSIONS}. Send the file as one upload with Upload-Length.`
  throw new AssayError("bad_upload", message)
}

/** Describes in the header how far an upload is. */
export function withState(reply: FastifyReply, { record, offset }: UploadState): FastifyReply {
  return reply.headers({ "upload-offset": String(offset), "upload-expires": new Date(record.expiresAt).toUTCString() })
}

/** Describes an upload as the response to HEAD does. The creation extension requires its metadata there. */
export function withUpload(reply: FastifyReply, state: UploadState): FastifyReply {
  const { length, metadata } = state.record
  const sent = metadata === undefined ? {} : { "upload-metadata": metadata }
  return withState(reply, state).headers({ ...sent, "upload-length": String(length), "cache-control": "no-store" })
}

/** Sends what this server supports of tus. Without `maxUploadBytes`, files may have any size. */
export function sendSupport(reply: FastifyReply, maxUploadBytes: number | undefined): FastifyReply {
  return reply
    .headers({
      "tus-version": VERSION,
      "tus-extension": EXTENSIONS,
      "tus-checksum-algorithm": CHECKSUM_ALGORITHMS.join(","),
      ...(maxUploadBytes === undefined ? {} : { "tus-max-size": String(maxUploadBytes) }),
    })
    .code(204)
    .send()
}
