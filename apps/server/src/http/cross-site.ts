import { requestOrigin, SAFE_METHODS } from "@assay/http/node"
import { AssayError } from "@assay/schemas"
import type { FastifyInstance, FastifyRequest } from "fastify"

interface CrossSiteRules {
  /** Origins of the operator. Their pages may read and write as if they were ours. */
  readonly allowedOrigins: ReadonlySet<string>
  /**
   * Whether the request identifies its caller by a bearer token in a header. A page of another site cannot add one by
   * itself, so these requests are exempt. Must be false for callers that a browser identifies without the page (by a cookie
   * or by the address of the machine).
   */
  readonly namesCaller: (request: FastifyRequest) => boolean
}

/**
 * Refuses writes that a page of another site sends through the browser of its visitor, and handles CORS requests of the
 * allowed origins. Browsers send simple requests across sites without a preflight, so such a page needs no CORS header to
 * write. Other programs send neither `Origin` nor `Sec-Fetch-Site` and are not affected.
 */
export function refuseCrossSite(app: FastifyInstance, { allowedOrigins, namesCaller }: CrossSiteRules): void {
  app.addHook("onRequest", (request, reply, done) => {
    // A cached response with these headers must not be used for another origin.
    if (allowedOrigins.size > 0) reply.header("vary", "Origin")
    const origin = requestOrigin(request, allowedOrigins)
    if (origin.kind === "own") return done()
    if (origin.kind === "allowed") {
      reply.headers(origin.headers)
      if (!origin.isPreflight) return done()
      // Sent before the access check, because a preflight never contains a token.
      void reply.code(204).send()
      return
    }
    // Prevents other sites from showing or running files of this server, such as a script in a fileset.
    reply.header("cross-origin-resource-policy", "same-origin")
    if (SAFE_METHODS.has(request.method) || namesCaller(request)) return done()
    done(
      new AssayError(
        "cross_site",
        `This ${request.method} comes from a page of another site (${origin.sign}). This server refuses writes from other sites. ` +
          "If the page is yours, add its origin to ASSAY_ALLOWED_ORIGINS.",
      ),
    )
  })
}

/**
 * Refuses requests to a foreign host name, for servers without authentication. A page in a browser can make any name point
 * to this machine (DNS rebinding), and could otherwise read everything.
 */
export function checkHost(app: FastifyInstance, allowed: ReadonlySet<string>): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { host = "" } = request.headers
    const name = host.replace(/:\d*$/, "")
    if (allowed.has(name)) return done()
    done(
      new AssayError(
        "forbidden",
        `Without auth this server accepts only its own loopback names, not '${name}'. Use http://127.0.0.1, or set ASSAY_AUTH=tokens.`,
      ),
    )
  })
}
