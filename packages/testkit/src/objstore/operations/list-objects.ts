import { findObject } from "../buckets.ts"
import type { Operation } from "../exchange.ts"
import { formatTime } from "../xml.ts"
import { ObjstoreError, xmlAnswer } from "../objstore-answer.ts"
import { type S3Request, encodePath, parameter } from "../s3-request.ts"

/** `ListObjectsV2`: keys in the order of their UTF-8 bytes, at most 1,000 a page; common prefixes count like keys. */
export const listObjects: Operation = ({ request, bucket }) => {
  const prefix = parameter(request, "prefix") ?? ""
  const delimiter = parameter(request, "delimiter") ?? ""
  const token = parameter(request, "continuation-token")
  const startAfter = parameter(request, "start-after")
  const limit = pageLimit(request, "max-keys")
  const encode = encoder(request)
  const after = token === undefined ? { key: startAfter ?? "" } : parseToken(token)
  const page = readKeyPage(bucket.keys(), { prefix, delimiter, limit, after })
  return xmlAnswer("ListBucketResult", {
    Name: bucket.name,
    Prefix: encode(prefix),
    ...(delimiter !== "" && { Delimiter: encode(delimiter) }),
    ...(startAfter !== undefined && { StartAfter: encode(startAfter) }),
    ...(token !== undefined && { ContinuationToken: token }),
    ...(page.end !== undefined && { NextContinuationToken: formatToken(page.end) }),
    KeyCount: page.keys.length + page.prefixes.length,
    MaxKeys: limit,
    ...(parameter(request, "encoding-type") === "url" && { EncodingType: "url" }),
    IsTruncated: page.end !== undefined,
    Contents: page.keys.map((key) => {
      const { content, etag, modified } = findObject(bucket, key)
      const LastModified = formatTime(modified)
      return { Key: encode(key), LastModified, ETag: etag, Size: content.size, StorageClass: "STANDARD" }
    }),
    CommonPrefixes: page.prefixes.map((common) => ({ Prefix: encode(common) })),
  })
}

function formatToken(end: PageEnd): string {
  return Buffer.from(JSON.stringify(end)).toString("base64url")
}

function parseToken(token: string): PageEnd {
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString()) as PageEnd
  } catch {
    throw invalidArgument("continuation-token", token, "The continuation token provided is incorrect")
  }
}

/** The last entry of a page: a key, or a prefix for all keys below it. */
type PageEnd = { readonly key: string } | { readonly prefix: string }

interface KeyPage {
  readonly keys: readonly string[]
  readonly prefixes: readonly string[]
  /** Undefined on the last page. */
  readonly end: PageEnd | undefined
}

interface KeyPageQuery {
  readonly prefix: string
  /** Groups keys by the part before it. Empty: no groups. */
  readonly delimiter: string
  readonly limit: number
  readonly after: PageEnd
}

/** Returns a page of keys, sorted by their UTF-8 bytes. */
function readKeyPage(sorted: readonly string[], { prefix, delimiter, limit, after }: KeyPageQuery): KeyPage {
  const keys: string[] = []
  const prefixes: string[] = []
  const listed = "prefix" in after ? after.prefix : undefined
  const bound = listed ?? ("key" in after ? after.key : "")
  let end: PageEnd | undefined
  const start = Math.max(firstFrom(sorted, prefix), bound === "" ? 0 : firstFrom(sorted, bound))
  for (let at = start; at < sorted.length; at++) {
    const key = sorted[at] ?? ""
    if (!key.startsWith(prefix)) break
    if (key === bound || (listed !== undefined && key.startsWith(listed))) continue
    const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length)
    const common = cut === -1 ? undefined : key.slice(0, cut + delimiter.length)
    if (common !== undefined && common === prefixes.at(-1)) continue
    if (keys.length + prefixes.length === limit) return { keys, prefixes, end }
    if (common === undefined) keys.push(key)
    else prefixes.push(common)
    end = common === undefined ? { key } : { prefix: common }
  }
  return { keys, prefixes, end: undefined }
}

/** Returns the index of the first key that is not before `name` in byte order. */
function firstFrom(sorted: readonly string[], name: string): number {
  const bytes = Buffer.from(name)
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (Buffer.compare(Buffer.from(sorted[middle] ?? ""), bytes) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns how names are written in a listing: unchanged, or percent-encoded with a plus for a space, as S3 does. */
export function encoder(request: S3Request): (name: string) => string {
  const encoding = parameter(request, "encoding-type")
  if (encoding === undefined) return (name) => name
  if (encoding === "url") return (name) => encodePath(name).replaceAll("%20", "+")
  throw invalidArgument("encoding-type", encoding, "Invalid Encoding Method specified in Request")
}

/** Returns the size of a page, at most 1,000. */
export function pageLimit(request: S3Request, name: "max-keys" | "max-uploads" | "max-parts"): number {
  const text = parameter(request, name)
  if (text === undefined) return 1000
  if (/^\d{1,9}$/.test(text)) return Math.min(1000, Number(text))
  throw invalidArgument(name, text, `Provided ${name} not an integer or within integer range`)
}

function invalidArgument(name: string, value: string, message: string): ObjstoreError {
  return new ObjstoreError(400, "InvalidArgument", message, { details: { ArgumentName: name, ArgumentValue: value } })
}
