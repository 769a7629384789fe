import { AssayError } from "@assay/schemas"
import type { FastifyInstance } from "fastify"

/**
 * Refuses requests that name a foreign host while there is no auth: a page in a browser can make any name point at this
 * machine (DNS rebinding) and would else read everything.
 */
export function checkHost(app: FastifyInstance, allowed: ReadonlySet<string>): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { host = "" } = request.headers
    const name = host.replace(/:\d*$/, "")
    if (allowed.has(name)) return done()
    done(
      new AssayError(
        "forbidden",
        `Without auth this server answers to its own loopback names only, not to '${name}'. Use http://127.0.0.1, or set ASSAY_AUTH=tokens.`,
      ),
    )
  })
}
