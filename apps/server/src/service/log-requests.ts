import type { FastifyInstance } from "fastify"
import { callerOf } from "../auth/access.ts"

const READS = new Set(["GET", "HEAD", "OPTIONS"])

const LEVELS = ["trace", "debug", "info"]

/** One log line a request: writes at `info` with the id of the token, reads at `debug`. */
export function logRequests(app: FastifyInstance): void {
  const { level: threshold } = app.log
  // The level stands for as long as the server runs: what is never logged costs nothing.
  if (!LEVELS.includes(threshold)) return
  app.addHook("onResponse", (request, reply, done) => {
    const level = READS.has(request.method) ? "debug" : "info"
    if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return done()
    const { method } = request
    const { logPattern = false } = request.routeOptions.config as { logPattern?: boolean }
    // What an address carries as a right is not for logs.
    const url = logPattern ? request.routeOptions.url : request.url
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const token = callerOf(request).tokenId
    request.log[level]({ method, url, status: reply.statusCode, milliseconds, token, request: request.id }, "request")
    done()
  })
}
