import { isUtf8 } from "node:buffer"
import { AssayError, invalidRequest, printable } from "@assay/schemas"
import { parseFormBody, parseJsonBody } from "@assay/validation"
import type { FastifyInstance, FastifyRequest } from "fastify"

export const MAX_JSON_BODY = 16_777_216
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/

/**
 * Has `app` parse JSON bodies, with the numbers of rows as they are written, and refuse all other bodies unless a route takes them.
 * If `isOfUser`, bodies are data of users, whose numbers are all kept as they are written.
 */
export function installJsonParser(app: FastifyInstance, isOfUser = false): void {
  app.removeContentTypeParser(["application/json", "text/plain", JSON_TYPE])
  app.addContentTypeParser<Buffer>(
    JSON_TYPE,
    { parseAs: "buffer", bodyLimit: MAX_JSON_BODY },
    (request, body, done) => {
      try {
        checkWholeBody(request)
        if (!isUtf8(body))
          throw invalidRequest(["body"], "The body is not UTF-8; JSON is sent as UTF-8", "json_invalid")
        done(null, parseJsonBody(body.toString("utf8"), isOfUser))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** Has `app` parse forms (`application/x-www-form-urlencoded`) into objects, as if they were JSON. */
export function installFormParser(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, text: string) => parseFormBody(text),
  )
}

/**
 * Has the routes of `app` take bodies of every media type without reading them: they stream their bodies.
 * @param codings content codings that the routes decode
 */
export function streamBodies(app: FastifyInstance, codings: readonly string[] = []): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (request, _payload, done) => {
    try {
      checkWholeBody(request, codings)
      done(null, undefined)
    } catch (error) {
      done(error as Error)
    }
  })
}

const MAX_SHOWN = 100

/**
 * Checks that a body is what its bytes are. Bytes in a coding, or a part of a file, would otherwise be stored as the whole file.
 * @throws `unsupported_media` (RFC 9110 §8.4) and `bad_request` (RFC 9110 §14.5)
 */
function checkWholeBody({ headers }: FastifyRequest, codings: readonly string[] = []): void {
  const { "content-encoding": coding = "", "content-range": range } = headers
  const sent = coding
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
  if (sent.some((one) => one !== "" && one !== "identity" && !codings.includes(one))) {
    throw new AssayError(
      "unsupported_media",
      `Bodies are not decoded: this one has the Content-Encoding '${printable(coding.slice(0, MAX_SHOWN))}'. Send its bytes without a coding, and a compressed file without this header.`,
    )
  }
  if (range !== undefined) {
    throw new AssayError(
      "bad_request",
      `A body is the whole of what it is sent for, and this one is the part '${printable(range.slice(0, MAX_SHOWN))}' (Content-Range). Send all bytes at once, or a file in parts as a resumable upload (tus).`,
    )
  }
}
