import type { S3Client } from "@aws-sdk/client-s3"
import type { HttpHeaders } from "../../http/transport.ts"
import type { BucketAddress } from "./find-address.ts"

/** A request to a bucket before it is signed. */
export interface UnsignedRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  /** Host, with its port unless it is the usual one. */
  readonly host: string
  /** Path as it is sent, without the query. */
  readonly path: string
  /** Names and values, not encoded. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: HttpHeaders
}

/** All headers with which a request is sent: its own, and those that sign it. */
export type SignRequest = (request: UnsignedRequest) => Promise<HttpHeaders>

/** SHA-256 of nothing. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** Signs with the AWS SDK. The digest of a body has to be in `x-amz-content-sha256`, where the store compares it. */
export async function createSignerV4(
  client: S3Client,
  { signingRegion, signingService }: BucketAddress,
  now: () => number,
): Promise<SignRequest> {
  const signer = await client.config.signer()
  return async ({ method, host, path, query, headers }) => {
    const unsigned = { "x-amz-content-sha256": EMPTY, ...headers, host }
    const signed = await signer.sign(
      // The signer reads the host from the headers.
      { method, protocol: "https:", hostname: host, path, query: { ...query }, headers: unsigned },
      { signingDate: new Date(now()), signingRegion, signingService },
    )
    return signed.headers
  }
}
