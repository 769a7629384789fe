import { AssayError } from "@assay/schemas"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"

/**
 * Reads the exact origins of ASSAY_ALLOWED_ORIGINS, as browsers write them.
 * @throws `bad_settings` that names the entry
 */
export function parseAllowedOrigins(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseOrigin))
}

function parseOrigin(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  const isWeb = (url?.protocol === "http:" || url?.protocol === "https:") && !entry.includes("*")
  // An address ends in a slash when it is parsed; whoever writes it means the same.
  if (url !== undefined && isWeb && (url.origin === entry.toLowerCase() || `${url.origin}/` === entry.toLowerCase()))
    return url.origin
  const example = isWeb && url !== undefined ? url.origin : "https://console.example.com"
  throw new AssayError(
    "bad_settings",
    `ASSAY_ALLOWED_ORIGINS has '${entry.replace(/\/\/.*@/, "//…@")}', which is not an origin; write scheme, host and port without a path, such as ${example}.`,
  )
}

interface CrossSiteRules {
  /** Origins of the operator, whose pages may read and write as if they were ours. */
  readonly allowedOrigins: ReadonlySet<string>
  /**
   * Whether the request names its caller by a bearer token in its own header. No page of another site can add one by
   * itself, so these requests are exempt. A caller that a browser makes known without the page's help (a cookie, the
   * address of the machine) must answer false.
   */
  readonly namesCaller: (request: FastifyRequest) => boolean
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_SECONDS = "600"

/**
 * Refuses writes that a page of another site sends through its visitor's browser, and answers CORS requests of the
 * allowed origins. A browser sends simple requests across sites without asking first, so a page needs no CORS header to
 * write. Programs send neither `Origin` nor `Sec-Fetch-Site`, and are not concerned.
 */
export function refuseCrossSite(app: FastifyInstance, { allowedOrigins, namesCaller }: CrossSiteRules): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers
    // A cached answer must not be given to another origin with these headers.
    if (allowedOrigins.size > 0) reply.header("vary", "Origin")
    if (origin !== undefined && allowedOrigins.has(origin)) {
      allowOrigin(request, reply, origin)
      if (!isPreflight(request)) return done()
      // Answered before access is checked, since a preflight never carries a token.
      void reply.code(204).send()
      return
    }
    const fault = foreignSender(request)
    if (fault === undefined) return done()
    // Other sites can't show or run what they load from here, such as a script that is kept in a fileset.
    reply.header("cross-origin-resource-policy", "same-origin")
    if (SAFE_METHODS.has(request.method) || namesCaller(request)) return done()
    done(
      new AssayError(
        "cross_site",
        `This ${request.method} comes from a page of another site (${fault}), and this server takes no writes from there. ` +
          "If the page is yours, add its origin to ASSAY_ALLOWED_ORIGINS.",
      ),
    )
  })
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined
}

function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  // Without credentials the wildcard exposes every header of the answer.
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

/** The header that says that the request comes from a page of another origin, undefined if none does. */
function foreignSender(request: FastifyRequest): string | undefined {
  const { origin, "sec-fetch-site": site } = request.headers
  if (origin !== undefined && !isOwnOrigin(request, origin)) return `Origin: ${origin}`
  if (site === undefined || site === "same-origin" || site === "none") return undefined
  return `Sec-Fetch-Site: ${site}`
}

/** `Origin: null`, which sandboxed pages and local files send, belongs to nobody. */
function isOwnOrigin({ protocol, host }: FastifyRequest, origin: string): boolean {
  const own = `${protocol}://${host}`
  return origin === own || origin === originOf(own)
}

/** An address as browsers write its origin: in lower case, without a default port. */
function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}

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
