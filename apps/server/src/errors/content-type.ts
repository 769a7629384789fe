import { AssayError, printable } from "@assay/schemas"
import type { FastifyRequest } from "fastify"

const FORM = "application/x-www-form-urlencoded"
const MAX_SHOWN = 100

/** Describes the content type of a request, for messages. */
export function contentTypeOf({ headers }: FastifyRequest): string {
  const type = headers["content-type"] ?? ""
  return type === "" ? "none" : `'${printable(type.slice(0, MAX_SHOWN))}'`
}

/** Makes the error of a body that no parser of its route takes. It names the types that they take. */
export function unsupportedMedia(request: FastifyRequest, cause: unknown): AssayError {
  const taken = ["application/json", ...(request.server.hasContentTypeParser(FORM) ? [FORM] : [])]
  const message = `This route takes a body of ${taken.join(" or ")}; the Content-Type of this one is ${contentTypeOf(request)}.`
  return new AssayError("unsupported_media", message, { cause })
}
