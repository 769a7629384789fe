import { AssayError, type ObjstoreStorageConfiguration } from "@assay/schemas"
import { S3Client } from "@aws-sdk/client-s3"
import { quotePath } from "../../file-path.ts"

/** The address of a bucket. */
export interface BucketAddress {
  /** Scheme, host and port, without a trailing slash. */
  readonly origin: string
  readonly host: string
  /** Path of the bucket without a trailing slash. Empty if the bucket is in the host name. */
  readonly path: string
  readonly region: string
  readonly signingRegion: string
  readonly signingService: string
}

const DEFAULT_REGION = "us-east-1"

/**
 * Returns the region of a configuration. Without one, it uses the client library's: environment, then profile, then
 * `us-east-1`.
 */
export async function findRegion({ region }: ObjstoreStorageConfiguration): Promise<string> {
  if (region !== undefined && region !== "") return region
  // The library throws if there is no region or if a profile is invalid.
  return new S3Client({}).config.region().catch(() => DEFAULT_REGION)
}

/**
 * Returns the address of a bucket by the rules of the AWS SDK. With `endpoint_url`, the bucket is in the path. Without
 * it, the bucket is in the host name if possible.
 * @throws `storage_not_allowed` for an invalid `endpoint_url`; `upstream_misconfigured` for a bucket or region that
 * can't be in an address
 */
export function findAddress(client: S3Client, config: ObjstoreStorageConfiguration, region: string): BucketAddress {
  const { bucket, endpoint_url: endpoint, signature_version: version } = config
  if (endpoint !== undefined) checkEndpoint(endpoint)
  // Signature version 2 has no agreed form for a bucket outside the path.
  const inPath = endpoint !== undefined || version === "v2"
  const { url, signing } = resolveBucket(client, {
    Bucket: bucket,
    Region: region,
    ForcePathStyle: inPath,
    UseFIPS: false,
    UseDualStack: false,
    ...(endpoint === undefined ? {} : { Endpoint: endpoint }),
  })
  return {
    origin: url.origin,
    host: url.host,
    path: url.pathname.replace(/\/$/, ""),
    region,
    signingRegion: signing?.signingRegion ?? region,
    signingService: signing?.signingName ?? "s3",
  }
}

type EndpointRequest = Parameters<S3Client["config"]["endpointProvider"]>[0]

function resolveBucket(client: S3Client, request: EndpointRequest) {
  try {
    const { url, properties } = client.config.endpointProvider(request)
    return { url, signing: properties?.authSchemes?.find(({ name }) => name === "sigv4") }
  } catch (cause) {
    const bucket = quotePath(String(request.Bucket))
    const message = `There is no address for bucket ${bucket} in region ${quotePath(String(request.Region))}; correct \`bucket\` or \`region\`.`
    throw new AssayError("upstream_misconfigured", message, { context: { storage: "objstore" }, cause })
  }
}

function checkEndpoint(text: string): void {
  const url = URL.parse(text)
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === ""
  if (isPlain && (url.protocol === "https:" || url.protocol === "http:")) return
  // Do not show the address, because it may contain a password.
  const message =
    "The `endpoint_url` of the object storage is not an address; write https:// or http:// and a host, without a name, password or query."
  throw new AssayError("storage_not_allowed", message, { context: { storage: "objstore" } })
}
