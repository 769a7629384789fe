import type { S3Client } from "@aws-sdk/client-s3"
import type { BucketAddress } from "./find-address.ts"
import type { SignRequest } from "./sign-request.ts"

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
