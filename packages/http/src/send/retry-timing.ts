import type { HttpHeaders } from "./transport.ts"

/** Headers as a record with names in lower case, or as the Fetch standard has them. */
export type HeaderSource = HttpHeaders | { get(name: string): string | null }

/**
 * Returns the milliseconds that a server asks its client to wait: from `retry-after-ms`, or from `Retry-After` (RFC 9110
 * §10.2.3) in seconds or as a date. Returns undefined if it contains no wait.
 */
export function retryAfter(headers: HeaderSource): number | undefined {
  const exact = parseNumber(headerOf(headers, "retry-after-ms"))
  if (exact !== undefined) return exact
  const value = headerOf(headers, "retry-after")
  const seconds = parseNumber(value)
  if (seconds !== undefined) return seconds * 1000
  // A date is compared with the server's own clock, which may differ from ours.
  const wait = Date.parse(value) - Date.parse(headerOf(headers, "date"))
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function headerOf(headers: HeaderSource, name: string): string {
  return (typeof headers.get === "function" ? headers.get(name) : (headers as HttpHeaders)[name]) ?? ""
}

function parseNumber(text: string): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

export interface RetryTiming {
  /** Milliseconds before the first repetition without jitter, doubled for each further one. */
  readonly firstMs: number
  /** Maximum of the doubled wait. */
  readonly maxMs: number
  /** Milliseconds that are added at random to a wait that the server requested, so that its clients do not return all at once. */
  readonly spreadMs: number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
}

/**
 * Returns the milliseconds to wait before repetition number `repetition`, counted from 0. A wait that the server requested is a
 * lower bound. Without one the wait doubles each time, and its upper half is random.
 */
export function retryDelay(
  repetition: number,
  { firstMs, maxMs, spreadMs, random }: RetryTiming,
  askedMs?: number,
): number {
  if (askedMs !== undefined) return askedMs + random() * spreadMs
  const doubled = Math.min(maxMs, firstMs * 2 ** repetition)
  return doubled / 2 + (random() * doubled) / 2
}
