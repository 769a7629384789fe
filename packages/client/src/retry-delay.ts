import type { FetchResponse } from "./fetch.ts"
import type { RetryOptions } from "./client-options.ts"

/**
 * Milliseconds to wait before repetition number `attempt` (from 0), or undefined where the server asks for a longer wait
 * than `maxDelay`. `Retry-After` (RFC 9110 §10.2.3) is a lower bound; without it the wait doubles each time.
 */
export function retryDelay(attempt: number, options: RetryOptions, response?: FetchResponse): number | undefined {
  const { baseDelay = 300, maxDelay = 30_000, random } = options
  const asked = response === undefined ? undefined : retryAfter(response)
  if (asked !== undefined) {
    const delay = asked + random() * baseDelay
    return asked > maxDelay ? undefined : delay
  }
  const doubled = Math.min(maxDelay, baseDelay * 2 ** attempt)
  return doubled / 2 + (random() * doubled) / 2
}

function retryAfter(response: FetchResponse): number | undefined {
  const value = response.headers.get("retry-after")
  if (value === null || value.trim() === "") return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  // A date is read against the server's own clock, which may differ from ours.
  const wait = Date.parse(value) - Date.parse(response.headers.get("date") ?? "")
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
