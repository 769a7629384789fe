import type { FastifyInstance } from "fastify"
import { callerOf } from "../auth/access.ts"

const READS = new Set(["GET", "HEAD", "OPTIONS"])

/** One log line a request: writes at `info` with the id of the token, reads at `debug`. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onResponse", (request, reply, done) => {
    const level = READS.has(request.method) ? "debug" : "info"
    const { method, url } = request
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    request.log[level](
      { method, url, status: reply.statusCode, milliseconds, token: callerOf(request).tokenId, request: request.id },
      "request",
    )
    done()
  })
}
