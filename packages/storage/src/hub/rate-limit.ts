import type { HttpHeaders, Transport } from "@assay/http"

/**
 * Seconds until requests are taken again, where none is left in the window. The public hub says it in `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-09, such as `"api";r=0;t=55`) and not in `Retry-After`.
 */
export function secondsUntilReset(headers: HttpHeaders): number | undefined {
  const seconds = /;\s*r\s*=\s*0\s*;\s*t\s*=\s*(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** The same transport, with `Retry-After` on every 429 that tells when to come again in the other way. */
export function withRateLimit(transport: Transport): Transport {
  return async (request, signal) => {
    const response = await transport(request, signal)
    const seconds = response.status === 429 ? secondsUntilReset(response.headers) : undefined
    if (seconds === undefined) return response
    return { ...response, headers: { "retry-after": String(seconds), ...response.headers } }
  }
}
