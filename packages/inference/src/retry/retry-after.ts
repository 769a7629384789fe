/**
 * Milliseconds that a server asks to wait, by `retry-after-ms` or `Retry-After` (RFC 9110 §10.2.3) in seconds or as a
 * date, which is read against the server's own clock; undefined where it asks for none.
 */
export function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const exact = number(headers["retry-after-ms"])
  if (exact !== undefined) return exact
  const value = headers["retry-after"]
  const seconds = number(value)
  if (seconds !== undefined) return seconds * 1000
  const wait = Date.parse(value ?? "") - Date.parse(headers["date"] ?? "")
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
