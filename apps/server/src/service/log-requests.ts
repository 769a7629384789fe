import { SAFE_METHODS } from "@assay/http/node"
import type { FastifyInstance } from "fastify"
import { callerOf } from "../auth/access.ts"

const LEVELS = ["trace", "debug", "info"]

/** Logs one line per request: writes at level `info` with the id of the token, reads and requests that come often at level `debug`. */
export function logRequests(app: FastifyInstance): void {
  const { level: threshold } = app.log
  // The level does not change while the server runs, so the hook is only added if it can log.
  if (!LEVELS.includes(threshold)) return
  app.addHook("onResponse", (request, reply, done) => {
    const config = request.routeOptions.config as { logPattern?: boolean; isFrequent?: boolean }
    const level = SAFE_METHODS.has(request.method) || config.isFrequent === true ? "debug" : "info"
    if (LEVELS.indexOf(level) < LEVELS.indexOf(threshold)) return done()
    const { method } = request
    const { logPattern = false } = config
    // Some URLs contain a key. Their routes log the pattern instead.
    const url = logPattern ? request.routeOptions.url : request.url
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const token = callerOf(request).id
    request.log[level]({ method, url, status: reply.statusCode, milliseconds, token, request: request.id }, "request")
    done()
  })
}
