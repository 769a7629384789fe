import { createHmac } from "node:crypto"
import { s3Error } from "../s3-error.ts"
import { headerValues, queryOf, rawPathOf, type SignableRequest } from "./canonical-request.ts"
import { isSameSignature, type VerifyOptions } from "./verify-signature.ts"

/** A URL that was signed with Signature Version 2, as `aws s3 presign` and `generate_presigned_url` of boto3 make for some regions. */
export interface PresignedV2 {
  readonly version: 2
  readonly accessKey: string
  /** Base64 of 20 bytes. */
  readonly signature: string
  /** Seconds since 1970, UTC. */
  readonly expires: string
}

/** Parameters that version 2 signs with the path. The others of S3 are not signed, so a URL can't have them. */
const SIGNED =
  /^(?:response-(?:cache-control|content-(?:disposition|encoding|language|type)|expires)|partNumber|uploadId)$/
const OF_SIGNATURE = /^(?:AWSAccessKeyId|Expires|Signature)$/
/** Headers that some clients also write into the query. */
const HOISTED = /^(?:x-amz-.*|content-md5|content-type)$/i
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT"])
/** A week, as for version 4. */
const MAX_SECONDS = 604_800

/**
 * Reads a signature of version 2 from the query. It is not checked yet.
 * @throws `InvalidRequest` for a request that version 2 does not sign completely: only GET, HEAD and PUT of a file can have it
 */
export function parsePresignedV2(request: SignableRequest): PresignedV2 {
  const query = queryOf(request.url)
  const get = (name: string): string => {
    const values = query.filter(([one]) => one === name)
    if (values.length === 1 && values[0]?.[1] !== "") return values[0]?.[1] ?? ""
    throw s3Error("InvalidRequest", `A presigned URL has ${name} exactly once.`)
  }
  const found = { accessKey: get("AWSAccessKeyId"), signature: get("Signature"), expires: get("Expires") }
  const other = query.find(([name]) => !OF_SIGNATURE.test(name) && !SIGNED.test(name) && !HOISTED.test(name))
  if (other !== undefined || !METHODS.has(request.method)) {
    const what = other === undefined ? request.method : `the parameter '${other[0].slice(0, 60)}'`
    const message = `A signature of version 2 does not cover ${what}. Sign with version 4, as \`aws configure set default.s3.signature_version s3v4\` does.`
    throw s3Error("InvalidRequest", message)
  }
  const payload = headerValues(request.rawHeaders).get("x-amz-content-sha256")?.[0] ?? ""
  if (payload.startsWith("STREAMING-AWS4-")) {
    throw s3Error("InvalidRequest", "The chunks of a body are signed with version 4, so its request must be, too.")
  }
  if (!/^\d{1,12}$/.test(found.expires)) throw s3Error("InvalidRequest", "Expires is a number of seconds since 1970.")
  return { ...found, version: 2 }
}

/**
 * Verifies a URL that was signed with Signature Version 2 (HMAC-SHA1 over method, headers, path and signed parameters).
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html
 * @throws `SignatureDoesNotMatch`; `AccessDenied` if it has expired, or is valid for more than a week
 */
export function verifyPresignedV2(
  request: SignableRequest,
  { signature, expires }: PresignedV2,
  { secrets, now, prefix, hasExpired = (_, end) => end <= now }: VerifyOptions,
): void {
  const given = Buffer.from(signature, "base64").toString("hex")
  const fits = pathsOf(request, prefix).some((path) => {
    const text = textToSign(request, expires, path)
    return secrets.some((secret) => isSameSignature(given, createHmac("sha1", secret).update(text).digest()))
  })
  if (!fits) {
    const message =
      "The signature does not fit the request: check the secret, and that no proxy changes the path, the query or signed headers."
    throw s3Error("SignatureDoesNotMatch", message)
  }
  const left = Number(expires) - now / 1000
  if (hasExpired(signature, Number(expires) * 1000 + 1))
    throw s3Error("AccessDenied", "The presigned URL has expired. Make a new one.")
  if (left > MAX_SECONDS) {
    throw s3Error("AccessDenied", "The presigned URL is valid for more than a week. Make one that expires earlier.")
  }
}

/** The paths that a client can have signed: some leave out the path of the endpoint. No bucket has its name. */
function pathsOf({ url }: SignableRequest, prefix: string): readonly string[] {
  const path = rawPathOf(url)
  return prefix !== "" && path.startsWith(`${prefix}/`) ? [path, path.slice(prefix.length)] : [path]
}

function textToSign(request: SignableRequest, expires: string, path: string): string {
  const query = queryOf(request.url)
  const headers = new Map<string, string>()
  // The first one counts if a name is there twice, as for whoever reads the header from the query afterwards.
  for (const [given, value] of query) {
    const name = given.toLowerCase()
    if (HOISTED.test(name) && !headers.has(name)) headers.set(name, value)
  }
  for (const [name, values] of headerValues(request.rawHeaders))
    if (HOISTED.test(name)) headers.set(name, values.join(","))
  const amz = [...headers]
    .filter(([name]) => name.startsWith("x-amz-"))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim()}\n`)
  const parameters = query
    .filter(([name]) => SIGNED.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => (value === "" ? name : `${name}=${value}`))
  const resource = path + (parameters.length === 0 ? "" : `?${parameters.join("&")}`)
  const standard = [headers.get("content-md5") ?? "", headers.get("content-type") ?? ""]
  return [request.method, ...standard, expires, amz.join("") + resource].join("\n")
}
