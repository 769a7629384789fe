import type { IncomingHttpHeaders } from "node:http"
import { AssayError } from "@assay/schemas"

/**
 * Parses the allowed origins of a setting: exact origins, as browsers write them.
 * @param setting its name, for messages
 * @throws `bad_settings` that names the entry
 */
export function parseAllowedOrigins(entries: readonly string[], setting: string): ReadonlySet<string> {
  return new Set(entries.map((entry) => parseOrigin(entry, setting)))
}

function parseOrigin(entry: string, setting: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  const isWeb = (url?.protocol === "http:" || url?.protocol === "https:") && !entry.includes("*")
  // A parsed URL ends in a slash; both forms are accepted.
  if (url !== undefined && isWeb && (url.origin === entry.toLowerCase() || `${url.origin}/` === entry.toLowerCase()))
    return url.origin
  const example = isWeb && url !== undefined ? url.origin : "https://console.example.com"
  throw new AssayError(
    "bad_settings",
    `${setting} has '${entry.replace(/\/\/.*@/, "//…@")}', which is not an origin; write scheme, host and port without a path, such as ${example}.`,
  )
}

/** The part of a request that shows which page sent it. `protocol` and `host` are the server's own, as its clients see them. */
export interface SentRequest {
  readonly method: string
  readonly protocol: string
  readonly host: string
  readonly headers: IncomingHttpHeaders
}

/**
 * The sender of a request, as far as a browser names it. `allowed`: a page of an allowed origin, with the CORS header fields
 * of the response. `foreign`: a page of another site, with the header field that shows it. `own`: a page of the server, or a
 * program that is not a browser.
 */
export type RequestOrigin =
  | { readonly kind: "allowed"; readonly isPreflight: boolean; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "foreign"; readonly sign: string }
  | { readonly kind: "own" }

/** Reads `Origin` and `Sec-Fetch-Site`. `Origin: null`, which sandboxed pages and local files send, is foreign. */
export function requestOrigin(request: SentRequest, allowedOrigins: ReadonlySet<string>): RequestOrigin {
  const { origin, "sec-fetch-site": site } = request.headers
  if (origin !== undefined && allowedOrigins.has(origin)) return allowed(request, origin)
  if (origin !== undefined && !isOwnOrigin(request, origin)) return { kind: "foreign", sign: `Origin: ${origin}` }
  if (site === undefined || site === "same-origin" || site === "none") return { kind: "own" }
  return { kind: "foreign", sign: `Sec-Fetch-Site: ${site}` }
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
/** How long a browser may cache a preflight, in seconds. */
const PREFLIGHT_SECONDS = "600"

function allowed({ method, headers }: SentRequest, origin: string): RequestOrigin {
  // Without credentials, the wildcard exposes every header of the response.
  const cors = { "access-control-allow-origin": origin, "access-control-expose-headers": "*" }
  const isPreflight = method === "OPTIONS" && headers["access-control-request-method"] !== undefined
  if (!isPreflight) return { kind: "allowed", isPreflight, headers: cors }
  const wanted = headers["access-control-request-headers"]
  const preflight = {
    ...cors,
    vary: "Origin, Access-Control-Request-Headers",
    "access-control-allow-methods": METHODS,
    // The operator trusts the origin with any header. A wildcard would not cover Authorization.
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
    "access-control-max-age": PREFLIGHT_SECONDS,
  }
  return { kind: "allowed", isPreflight, headers: preflight }
}

function isOwnOrigin({ protocol, host }: SentRequest, origin: string): boolean {
  const own = `${protocol}://${host}`
  return origin === own || origin === originOf(own)
}

/** Returns the origin of a URL as browsers write it: in lower case, without a default port. */
function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined
}
