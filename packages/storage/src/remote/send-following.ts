import { AssayError, hasUrlUser } from "@assay/schemas"
import type { HttpRequest, HttpResponse } from "@assay/http"
import type { RemoteContext } from "./remote-context.ts"
import { sendWithRetry, type SendOptions } from "./send-with-retry.ts"

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MAX = 5

export interface FollowedResponse extends HttpResponse {
  /** The redirects before this response, without their bodies. */
  readonly redirects: readonly Pick<HttpResponse, "status" | "headers">[]
  /** The request of this response: the original one, or the last after redirects. */
  readonly request: HttpRequest
}

/**
 * Sends a request that changes nothing, and follows redirects with the same method and body. Authorization and cookies are not
 * sent to another host.
 * @throws `upstream_failed` for more than five redirects, a redirect without a usable address, to one with a user name, or from
 * https to http
 */
export async function sendFollowing(
  remote: RemoteContext,
  make: () => HttpRequest | Promise<HttpRequest>,
  options: SendOptions = {},
): Promise<FollowedResponse> {
  const redirects: Pick<HttpResponse, "status" | "headers">[] = []
  let next = make
  for (;;) {
    let sent: HttpRequest | undefined
    const response = await sendWithRetry(remote, async () => (sent = await next()), options)
    const { status, headers } = response
    if (sent === undefined) throw new Error("The response has no request.")
    if (!REDIRECTS.has(status)) return { ...response, redirects, request: sent }
    response.body.destroy()
    redirects.push({ status, headers })
    const request = redirected(sent, headers["location"])
    if (redirects.length > MAX) throw lost(sent, `redirects more than ${MAX} times`)
    next = () => request
  }
}

function redirected(sent: HttpRequest, location: string | undefined): HttpRequest {
  const target = location === undefined ? null : URL.parse(location, sent.origin + sent.path)
  if (target === null || !/^https?:$/.test(target.protocol)) throw lost(sent, "redirects without a usable address")
  if (hasUrlUser(target.href)) throw lost(sent, "redirects to an address with a user name or a password")
  if (sent.origin.startsWith("https:") && target.protocol === "http:")
    throw lost(sent, "redirects to an address without TLS")
  const { authorization: _authorization, cookie: _cookie, ...open } = sent.headers
  const headers = target.origin === sent.origin ? sent.headers : open
  return { ...sent, origin: target.origin, path: target.pathname + target.search, headers }
}

function lost({ method, origin }: HttpRequest, what: string): AssayError {
  const message = `${origin} ${what}; check the address of the backend.`
  return new AssayError("upstream_failed", message, { context: { method, origin } })
}
