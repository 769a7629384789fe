import { hash } from "node:crypto"

export interface AskedRequest {
  /** With or without `/chat/completions` and a slash at its end: that is the same place. */
  readonly baseUrl: string
  readonly model: string
  /** All that is sent beside the model. */
  readonly body: unknown
  readonly repeat: number
}

/** What an answer is kept under: SHA-256 over where it came from and all that was asked, whatever the order of keys. */
export function responseKey({ baseUrl, model, body, repeat }: AskedRequest): string {
  const place = baseUrl.replace(/\/+$/, "").replace(/\/chat\/completions$/, "")
  return hash("sha256", JSON.stringify([place, model, ordered(body), repeat]))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, ordered(inner)])
}
