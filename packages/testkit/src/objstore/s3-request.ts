import type { IncomingMessage } from "node:http"

/** A received request with its parsed address. */
export interface S3Request {
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Names in lower case. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Path, exactly as sent. */
  readonly path: string
  /** Decoded names and values, in the order in which they were sent. */
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Empty if the request names no bucket. */
  readonly bucket: string
  /** Decoded byte by byte and otherwise unchanged; empty for a request on the bucket. */
  readonly key: string
  /** Whether the address is percent-encoded UTF-8. If not, the names above are as sent. */
  readonly isReadable: boolean
}

/** Parses a path-style address. Keys are never normalised: `a//b`, `./a` and `a/../b` are three keys. */
export function parseRequest({ method = "", url = "", headersDistinct }: IncomingMessage): S3Request {
  const [path = "", ...rest] = url.split("?")
  const [, bucket = "", slashAndKey = ""] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
  let isReadable = true
  const decode = (text: string) => {
    const decoded = decodePercent(text)
    isReadable &&= decoded !== undefined
    return decoded ?? text
  }
  const query = rest
    .join("?")
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", ...value] = part.split("=")
      // A plus sign is a space in a query, as in forms, and a plus sign in a path.
      return [decode(name.replaceAll("+", "%20")), decode(value.join("=").replaceAll("+", "%20"))] as const
    })
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(",")]),
  )
  const names = { bucket: decode(bucket), key: decode(slashAndKey.slice(1)) }
  return { method, url, headers, path, query, ...names, isReadable }
}

/** Returns the value of a query parameter: empty if it has none, undefined if it is absent. */
export function parameter(request: S3Request, name: string): string | undefined {
  return request.query.find(([one]) => one === name)?.[1]
}

/** Decodes percent-encoded UTF-8, or returns undefined if `text` does not encode UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})|[^\x21-\x7e]/i.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes every byte except the unreserved ones of RFC 3986, as signatures of version 4 require. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Encodes like `encodePercent`, but leaves slashes. */
export function encodePath(text: string): string {
  return encodePercent(text).replaceAll("%2F", "/")
}
