import { createHash } from "node:crypto"
import { s3Error } from "../s3-error.ts"

/** The parts of an HTTP request that a signature covers. */
export interface SignableRequest {
  readonly method: string
  /** Path and query as they arrived. */
  readonly url: string
  /** Names and values as they arrived, alternately. */
  readonly rawHeaders: readonly string[]
  /** The host as the client sees it: a proxy in front can use another name. */
  readonly host: string
}

/** Percent-encodes a text as signatures do: all bytes but A–Z, a–z, 0–9, `-`, `.`, `_` and `~`. */
export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Decodes a percent-encoded text. @throws `InvalidArgument` */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw s3Error("InvalidArgument", `'${text.slice(0, 100)}' is not percent-encoded UTF-8.`, error)
  }
}

/** The origin in a request line with an absolute URL, as clients of a forward proxy send it. */
const ORIGIN = /^https?:\/\/[^/]*/i

/** Returns the path of a URL, still percent-encoded. */
export function rawPathOf(url: string): string {
  return url.replace(ORIGIN, "").split("?", 1)[0] ?? ""
}

/** Returns the parameters of a URL in their order. A parameter without a value has an empty one. @throws `InvalidArgument` */
export function queryOf(url: string): readonly (readonly [name: string, value: string])[] {
  const start = url.indexOf("?")
  if (start < 0) return []
  return url
    .slice(start + 1)
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=")
      const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)]
      return [decodePart(name.replaceAll("+", " ")), decodePart(value.replaceAll("+", " "))]
    })
}

function canonicalPath(rawPath: string): string {
  return rawPath
    .split("/")
    .map((segment) => encodeStrictly(decodePart(segment)))
    .join("/")
}

function canonicalQuery(url: string): string {
  return queryOf(url)
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")
}

/** Compares encoded texts, which are ASCII. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Returns the values of each header by its name in lower case. */
export function headerValues(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase()
    const values = found.get(name) ?? []
    values.push(rawHeaders[at + 1] ?? "")
    found.set(name, values)
  }
  return found
}

function canonicalHeaders(request: SignableRequest, names: readonly string[]): string {
  const headers = headerValues(request.rawHeaders)
  return names
    .map((name) => {
      const values = name === "host" ? [request.host] : (headers.get(name) ?? [])
      return `${name}:${values.map((value) => value.trim().replaceAll(/ +/g, " ")).join(",")}\n`
    })
    .join("")
}

export interface CanonicalOptions {
  /** In lower case, in the order of the client. */
  readonly signedHeaders: readonly string[]
  readonly payloadHash: string
  /** The start of the path that is left out. Default: nothing. */
  readonly prefix?: string
}

/** Returns the SHA-256 of the canonical form of a request (Signature Version 4, without normalization of the path, as for S3). */
export function canonicalHash(
  request: SignableRequest,
  { signedHeaders, payloadHash, prefix = "" }: CanonicalOptions,
): string {
  const path = canonicalPath(rawPathOf(request.url)).slice(prefix.length)
  const text = [
    request.method,
    path === "" ? "/" : path,
    canonicalQuery(request.url),
    canonicalHeaders(request, signedHeaders),
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n")
  return createHash("sha256").update(text).digest("hex")
}
