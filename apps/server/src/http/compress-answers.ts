import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib"
import { requestOrigin } from "@assay/http/node"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "./app.ts"

/** A smaller answer is one packet anyway. In characters. */
const MIN_CHARACTERS = 1400
/** Not the XML of S3, some of whose clients ask for coded objects and read documents as they are. */
const TYPE = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:plain|html))\b/

type Compress = (text: string, done: (error: Error | null, bytes: Buffer) => void) => void
const zstdFast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/**
 * Codings from the best to the worst. For a listing of 42 jobs (56 KB), each takes less than a millisecond and leaves 5 % of it; higher
 * levels take several times as long for a few hundred bytes.
 */
const CODINGS: readonly (readonly [string, Compress])[] = [
  ["zstd", (text, done) => zstdCompress(text, zstdFast, done)],
  ["br", (text, done) => brotliCompress(text, brotliFast, done)],
  ["gzip", (text, done) => gzip(text, { level: 1 }, done)],
]

/**
 * Compresses answers that are text if their client accepts it. Bytes of files, and streams that flow, are sent as they are: their
 * payload is not text. So are answers with an ETag, which names these bytes.
 *
 * The length of a compressed answer says something about it. A page of another site that makes a browser send requests with texts of its
 * own could learn a secret beside them (BREACH). Cookies of sessions are not sent across sites; besides, such requests get no compressed answer.
 */
export function compressAnswers(app: App, allowedOrigins: ReadonlySet<string>): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (typeof payload !== "string" || !canCompress(payload, request, reply)) return done(null, payload)
    const vary = reply.getHeader("vary")
    reply.header("vary", vary === undefined ? "Accept-Encoding" : `${String(vary)}, Accept-Encoding`)
    const [coding, compress] = codingFor(request.headers["accept-encoding"]) ?? []
    if (coding === undefined || compress === undefined || requestOrigin(request, allowedOrigins).kind === "foreign")
      return done(null, payload)
    compress(payload, (error, bytes) => {
      if (error !== null) return done(error)
      reply.header("content-encoding", coding).header("content-length", bytes.length)
      done(null, bytes)
    })
  })
}

function canCompress(text: string, { method }: FastifyRequest, reply: FastifyReply): boolean {
  const isWhole = reply.statusCode !== 206 && reply.statusCode !== 304 && method !== "HEAD"
  return (
    isWhole &&
    text.length >= MIN_CHARACTERS &&
    !reply.hasHeader("etag") &&
    !reply.hasHeader("content-encoding") &&
    TYPE.test(String(reply.getHeader("content-type")))
  )
}

/** Returns the best coding that a client accepts (RFC 9110 §12.5.3). One with the weight 0 is refused. */
function codingFor(accepted = ""): readonly [string, Compress] | undefined {
  const names = accepted
    .toLowerCase()
    .split(",")
    .map((one) => one.split(";"))
    .filter(([, weight = ""]) => !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(weight))
    .map(([name = ""]) => name.trim())
  const accepts = new Set(names)
  return CODINGS.find(([coding]) => accepts.has(coding))
}
