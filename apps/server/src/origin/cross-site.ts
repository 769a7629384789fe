import { AssayError } from "@assay/schemas"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"

/**
 * Parses ASSAY_ALLOWED_ORIGINS: exact origins, as browsers write them.
 * @throws `bad_settings` that names the entry
 */
export function parseAllowedOrigins(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseOrigin))
}

function parseOrigin(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  const isWeb = (url?.protocol === "http:" || url?.protocol === "https:") && !entry.includes("*")
  // A parsed URL ends in a slash; both forms are accepted.
  if (url !== undefined && isWeb && (url.origin === entry.toLowerCase() || `${url.origin}/` === entry.toLowerCase()))
    return url.origin
  const example = isWeb && url !== undefined ? url.origin : "https://console.example.com"
  throw new AssayError(
    "bad_settings",
    `ASSAY_ALLOWED_ORIGINS has '${entry.replace(/\/\/.*@/, "//…@")}', which is not an origin; write scheme, host and port without a path, such as ${example}.`,
  )
}

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

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_SECONDS = "600"

/**
 * Refuses writes that a page of another site sends through the browser of its visitor, and handles CORS requests of the
 * allowed origins. Browsers send simple requests across sites without a preflight, so such a page needs no CORS header to
 * write. Other programs send neither `Origin` nor `Sec-Fetch-Site` and are not affected.
 */
export function refuseCrossSite(app: FastifyInstance, { allowedOrigins, namesCaller }: CrossSiteRules): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers
    // A cached response with these headers must not be used for another origin.
    if (allowedOrigins.size > 0) reply.header("vary", "Origin")
    if (origin !== undefined && allowedOrigins.has(origin)) {
      allowOrigin(request, reply, origin)
      if (!isPreflight(request)) return done()
      // Sent before the access check, because a preflight never carries a token.
      void reply.code(204).send()
      return
    }
    const fault = foreignSender(request)
    if (fault === undefined) return done()
    // Prevents other sites from showing or running files of this server, such as a script in a fileset.
    reply.header("cross-origin-resource-policy", "same-origin")
    if (SAFE_METHODS.has(request.method) || namesCaller(request)) return done()
    done(
      new AssayError(
        "cross_site",
        `This ${request.method} comes from a page of another site (${fault}). This server refuses writes from other sites. ` +
          "If the page is yours, add its origin to ASSAY_ALLOWED_ORIGINS.",
      ),
    )
  })
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined
}

function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  // Without credentials, the wildcard exposes every header of the response.
  reply.headers({ "access-control-allow-origin": origin, "access-control-expose-headers": "*" })
  if (!isPreflight(request)) return
  const wanted = request.headers["access-control-request-headers"]
  reply.headers({
    vary: "Origin, Access-Control-Request-Headers",
    "access-control-allow-methods": METHODS,
    // The operator trusts the origin with any header. A wildcard would not cover Authorization.
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    "access-control-max-age": PREFLIGHT_SECONDS,
  })
}

/** Returns the header which shows that the request comes from a page of another origin, undefined if there is none. */
function foreignSender(request: FastifyRequest): string | undefined {
  const { origin, "sec-fetch-site": site } = request.headers
  if (origin !== undefined && !isOwnOrigin(request, origin)) return `Origin: ${origin}`
  if (site === undefined || site === "same-origin" || site === "none") return undefined
  return `Sec-Fetch-Site: ${site}`
}

/** Returns false for `Origin: null`, which sandboxed pages and local files send. */
function isOwnOrigin({ protocol, host }: FastifyRequest, origin: string): boolean {
  const own = `${protocol}://${host}`
  return origin === own || origin === originOf(own)
}

/** Returns the origin of a URL as browsers write it: in lower case, without a default port. */
function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
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
