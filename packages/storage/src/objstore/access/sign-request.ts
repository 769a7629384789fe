import type { S3Client } from "@aws-sdk/client-s3"
import type { HttpHeaders } from "@assay/http"
import type { BucketAddress } from "./find-address.ts"

/** A request to a bucket before signing. */
export interface UnsignedRequest {
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
