import { AssayError, type ObjstoreStorageConfiguration } from "@assay/schemas"
import { S3Client } from "@aws-sdk/client-s3"
import { quotePath } from "../../file-path.ts"

/** Where a bucket is asked. */
export interface BucketAddress {
  /** Scheme, host and port, without a slash at its end. */
  readonly origin: string
  readonly host: string
  /** Path of the bucket without a slash at its end; empty where the host is its name. */
  readonly path: string
  readonly region: string
  readonly signingRegion: string
  readonly signingService: string
}

const DEFAULT_REGION = "us-east-1"

/** The region of a configuration; without one the client library's: environment, then profile, then `us-east-1`. */
export async function findRegion({ region }: ObjstoreStorageConfiguration): Promise<string> {
  if (region !== undefined && region !== "") return region
  // That there is none is thrown, and so is what is wrong with a profile.
  return new S3Client({}).config.region().catch(() => DEFAULT_REGION)
}

/**
 * Where the bucket of a configuration is asked, by the AWS SDK's rules: with `endpoint_url` its path begins with the bucket;
 * without, the bucket is part of the cloud's host name where it can be.
 * @throws `storage_not_allowed` for an `endpoint_url` that is no address; `upstream_misconfigured` for a bucket or region that
 * can't be part of one
 */
export function findAddress(client: S3Client, config: ObjstoreStorageConfiguration, region: string): BucketAddress {
  const { bucket, endpoint_url: endpoint, signature_version: version } = config
  if (endpoint !== undefined) checkEndpoint(endpoint)
  // The older signature has no agreed way to name a bucket that is not in the path.
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
  // It may hold a password: not shown.
  const message =
    "The `endpoint_url` of the object storage is no address; write https:// or http://, a host, and neither name, password nor query."
  throw new AssayError("storage_not_allowed", message, { context: { storage: "objstore" } })
}
