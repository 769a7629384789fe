import { AssayError, hasUrlUser } from "@assay/schemas"
import type { HttpRequest, HttpResponse } from "@assay/http"
import type { RemoteContext } from "./remote-context.ts"
import { sendWithRetry, type SendOptions } from "./send-with-retry.ts"

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const MAX = 5

export interface FollowedResponse extends HttpResponse {
  /** The answers that led here, without their bodies. */
  readonly redirects: readonly Pick<HttpResponse, "status" | "headers">[]
  /** The request that was answered: what was asked for, or where it led. */
  readonly request: HttpRequest
}

/**
 * Sends what changes nothing and follows where it leads, with the same method and body. Authorization and cookies stay with
 * the host that they were meant for.
 * @throws `upstream_failed` for more than five redirects, or one that leads nowhere or to an address with a user name
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
    if (sent === undefined) throw new Error("What is answered was sent.")
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
  if (target === null || !/^https?:$/.test(target.protocol)) throw lost(sent, "redirects to no address")
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
