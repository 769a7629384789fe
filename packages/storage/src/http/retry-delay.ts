import type { HttpHeaders } from "./transport.ts"

const FIRST = 200
const LONGEST = 10_000
/** What a server asks for at most. */
const CAP = 60_000

/**
 * Milliseconds before repetition number `attempt` (from 0). `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date, is
 * a lower bound up to a minute; without it the wait doubles each time, with jitter.
 */
export function retryDelay(attempt: number, random: () => number, headers: HttpHeaders = {}): number {
  const doubled = Math.min(LONGEST, FIRST * 2 ** attempt)
  const asked = retryAfter(headers)
  if (asked === undefined) return doubled / 2 + (random() * doubled) / 2
  return Math.min(CAP, asked) + random() * FIRST
}

function retryAfter(headers: HttpHeaders): number | undefined {
  const value = headers["retry-after"]?.trim() ?? ""
  if (value === "") return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  // A date is read against the server's own clock, which may differ from ours.
  const wait = Date.parse(value) - Date.parse(headers["date"] ?? "")
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}
