import { createHmac } from "node:crypto"
import type { HttpHeaders } from "@assay/http"
import type { S3Client } from "@aws-sdk/client-s3"
import type { BucketAddress } from "./find-address.ts"

/** A request to a bucket before signing. */
interface UnsignedRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** Host, with its port unless it is the default one. */
  readonly host: string
  /** Path as sent, without the query. */
  readonly path: string
  /** Names and values, not percent-encoded. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: HttpHeaders
}

/** Returns all headers of a request, including its signature. */
export type SignRequest = (request: UnsignedRequest) => Promise<HttpHeaders>

/** SHA-256 of no bytes. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/**
 * Creates a signer that uses the AWS SDK. `x-amz-content-sha256` must contain the digest of a body if the store should
 * verify it.
 */
export async function createSignerV4(
  client: S3Client,
  { signingRegion, signingService }: BucketAddress,
  now: () => number,
): Promise<SignRequest> {
  const signer = await client.config.signer()
  return async ({ method, host, path, query, headers }) => {
    const unsigned = { "x-amz-content-sha256": EMPTY, ...headers, host }
    const signed = await signer.sign(
      // The signer takes the host from the headers.
      { method, protocol: "https:", hostname: host, path, query: { ...query }, headers: unsigned },
      { signingDate: new Date(now()), signingRegion, signingService },
    )
    return signed.headers
  }
}

interface SigningKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** The query parameters that are signed. Others, such as `prefix` or `list-type`, are not. */
const SUBRESOURCES = new Set([
  "acl",
  "cors",
  "delete",
  "lifecycle",
  "location",
  "logging",
  "notification",
  "partNumber",
  "policy",
  "requestPayment",
  "restore",
  "tagging",
  "torrent",
  "uploadId",
  "uploads",
  "versionId",
  "versioning",
  "versions",
  "website",
])

/**
 * Creates a signer with HMAC-SHA1, which S3 calls version 2, for stores that support nothing newer. The AWS SDK no
 * longer has it. The bucket must be in the path. Source: "Signing and authenticating REST requests" of the S3 developer
 * guide.
 */
export function createSignerV2(key: () => Promise<SigningKey>, now: () => number): SignRequest {
  return async (request) => {
    const { accessKeyId, secretAccessKey, sessionToken } = await key()
    const headers = {
      ...request.headers,
      date: new Date(now()).toUTCString(),
      ...(sessionToken === undefined ? {} : { "x-amz-security-token": sessionToken }),
    }
    const signature = createHmac("sha1", secretAccessKey)
      .update(textToSign({ ...request, headers }))
      .digest("base64")
    return { ...headers, authorization: `AWS ${accessKeyId}:${signature}` }
  }
}

function textToSign({ method, headers, path, query }: UnsignedRequest): string {
  const amz = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-amz-"))
    .toSorted(byName)
    .map(([name, value]) => `${name}:${value.trim()}\n`)
  const parameters = Object.entries(query)
    .filter(([name]) => SUBRESOURCES.has(name))
    .toSorted(byName)
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
  const resource = parameters.length === 0 ? path : `${path}?${parameters.join("&")}`
  const { "content-md5": md5 = "", "content-type": type = "", date = "" } = headers
  return [method, md5, type, date, amz.join("") + resource].join("\n")
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1
}
