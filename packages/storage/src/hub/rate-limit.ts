import type { HttpHeaders, Transport } from "@assay/http"

/**
 * Returns the seconds until the rate limit resets, if no request is left. The public hub sends `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-09, such as `"api";r=0;t=55`) instead of `Retry-After`.
 */
export function secondsUntilReset(headers: HttpHeaders): number | undefined {
  const seconds = /;\s*r\s*=\s*0\s*;\s*t\s*=\s*(\d+)/.exec(headers["ratelimit"] ?? "")?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

/** Wraps a transport so that a 429 with `RateLimit` also has `Retry-After`. */
export function withRateLimit(transport: Transport): Transport {
  return async (request, signal) => {
    const response = await transport(request, signal)
    const seconds = response.status === 429 ? secondsUntilReset(response.headers) : undefined
    if (seconds === undefined) return response
    return { ...response, headers: { "retry-after": String(seconds), ...response.headers } }
  }
}
