import type { Fetch, FetchBody } from "@assay/http"
import type { FastifyRequest } from "fastify"

/**
 * Returns a `fetch` that calls the routes of this server without a connection, for the sender of a request: with its token, address and host
 * name. So each call has the checks, rights and records of the same call from outside.
 */
export function callOwnRoutes({ server, headers, ip }: FastifyRequest): Fetch {
  const sender = {
    ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
    ...(headers.host === undefined ? {} : { host: headers.host }),
  }
  return async (url, { method, headers: own, body, signal }) => {
    const { pathname, search } = new URL(url)
    const payload = bodyText(body)
    const response = await server.inject({
      method: method,
      url: `${pathname}${search}`,
      headers: { ...own, ...sender },
      remoteAddress: ip,
      ...(payload === undefined ? {} : { payload }),
      ...(signal === undefined ? {} : { signal }),
    })
    const { statusCode: status, rawPayload } = response
    const answered = new Headers()
    for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value))
    return { status, headers: answered, body: new Blob([new Uint8Array(rawPayload)]).stream() }
  }
}

/** Tools send records, never streams. */
function bodyText(body: FetchBody | undefined): string | undefined {
  if (body === undefined || typeof body === "string") return body
  throw new TypeError("A tool sends only text to routes of its own server.")
}
