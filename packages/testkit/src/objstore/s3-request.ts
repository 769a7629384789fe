import type { IncomingMessage } from "node:http"

/** A request as it arrived, and what its address means. */
export interface S3Request {
  readonly method: string
  /** Path and query, exactly as sent. */
  readonly url: string
  /** Names in lower case; what was sent several times is joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Path, exactly as sent. */
  readonly path: string
  /** Decoded names and values, in the order in which they were sent. */
  readonly query: readonly (readonly [name: string, value: string])[]
  /** Empty when the request is about no bucket. */
  readonly bucket: string
  /** Decoded byte by byte and otherwise as sent; empty when the request is about the bucket. */
  readonly key: string
  /** Whether the address is percent-encoded UTF-8; where it is not, the names above are as sent. */
  readonly isReadable: boolean
}

/** Reads the address path style. A key is never normalised: `a//b`, `./a` and `a/../b` are three keys. */
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
      // As in a form: a plus sign in a query is a space, in a path it is itself.
      return [decode(name.replaceAll("+", "%20")), decode(value.join("=").replaceAll("+", "%20"))] as const
    })
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(",")]),
  )
  const names = { bucket: decode(bucket), key: decode(slashAndKey.slice(1)) }
  return { method, url, headers, path, query, ...names, isReadable }
}

/** The value of a query parameter: empty when it is there without one, undefined when it is not there. */
export function parameter(request: S3Request, name: string): string | undefined {
  return request.query.find(([one]) => one === name)?.[1]
}

/** The text whose UTF-8 is percent-encoded in `text`, or undefined where it encodes no UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})|[^\x21-\x7e]/i.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes every byte but the unreserved ones of RFC 3986, as signatures of version 4 want it. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Like `encodePercent`, but leaves slashes. */
export function encodePath(text: string): string {
  return encodePercent(text).replaceAll("%2F", "/")
}
