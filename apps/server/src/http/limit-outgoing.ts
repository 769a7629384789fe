import { SAFE_METHODS, SMALL_RESPONSE, type OutgoingBytes } from "@assay/http/node"
import type { App } from "./app.ts"

/** Header fields that describe the refused response. They are removed from the error. */
const RESPONSE_HEADERS = [
  "etag",
  "last-modified",
  "content-range",
  "x-checksum-sha256",
  "accept-ranges",
  "cache-control",
]

/**
 * Refuses responses for which there is no room. A completed write always gets its response, because its client would take a
 * 503 for a failure. Writes with JSON can have responses as large as their bodies, so they are refused before they begin.
 */
export function limitOutgoing(app: App, outgoing: OutgoingBytes): void {
  app.addHook("onRequest", (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || !/^application\/(.*\+)?json/.test(request.headers["content-type"] ?? ""))
      return done()
    try {
      outgoing.checkRoom()
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook("onSend", (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    if (bytes <= SMALL_RESPONSE || request.method === "HEAD") return done()
    try {
      outgoing.hold(reply.raw, bytes, { isRequired: !SAFE_METHODS.has(request.method) })
      done()
    } catch (error) {
      for (const name of RESPONSE_HEADERS) reply.removeHeader(name)
      done(error as Error)
    }
  })
}

/** Returns the size of a response. Text counts by characters: most text is ASCII, and the exact size costs as much as sending it. */
function sizeOf(payload: unknown): number {
  if (typeof payload === "string") return payload.length
  return payload instanceof Uint8Array ? payload.byteLength : 0
}
