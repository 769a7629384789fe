import { findObject } from "./buckets.ts"
import type { Operation } from "./exchange.ts"
import { readKeyPage, type PageEnd } from "./key-page.ts"
import { encoder, invalidArgument, pageLimit } from "./list-parameters.ts"
import { formatTime } from "./format-time.ts"
import { xmlAnswer } from "./objstore-answer.ts"
import { parameter } from "./s3-request.ts"

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
