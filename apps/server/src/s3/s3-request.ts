import { EVERYONE, requireRole } from "@assay/access"
import { clientKey } from "@assay/http/node"
import {
  type ChunkSigning,
  type Parameters,
  parseBucketName,
  parseSignature,
  queryOf,
  s3Error,
  verifyPresignedV2,
  verifySignature,
} from "@assay/s3"
import { AssayError, isAssayError, type Role } from "@assay/schemas"
import type { FastifyReply, FastifyRequest } from "fastify"
import { callerOf, setCaller } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import type { Services } from "../services.ts"

/** The path of all buckets. Clients are configured with it as their endpoint. */
export const S3_PREFIX = "/s3"

const SIGNING = "s3Signing"

/** Has `app` identify the sender of each request by its signature, and name the fileset of its bucket. Bodies are not read before. */
export function installSignatures(app: App, services: Services): void {
  app.decorateRequest(SIGNING, null)
  app.addHook("onRequest", async (request) => {
    await identify(services, request)
    readHoisted(request)
    const params = request.params as { bucket?: string }
    // As in the routes of filesets, for the records of the audit too.
    if (params.bucket !== undefined && params.bucket !== "") Object.assign(params, parseBucketName(params.bucket))
  })
}

/** The parameters of a presigned URL that are its signature. */
const OF_SIGNATURE = /^x-amz-(?:algorithm|credential|date|expires|signedheaders|signature|security-token)$/

/** Reads the headers that a presigned URL has in its query. They are signed there, and mean what they mean in a header. */
function readHoisted({ url, raw }: FastifyRequest): void {
  for (const [given, value] of queryOf(url)) {
    const name = given.toLowerCase()
    if (name.startsWith("x-amz-") && !OF_SIGNATURE.test(name)) raw.headers[name] ??= value
  }
}

/** The answers to somebody who guesses. A wrong clock and an old URL have a valid signature. */
const IS_FAILURE: ReadonlySet<string> = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch"])

/** Without auth, signatures are not checked: there is nobody to distinguish. */
async function identify(services: Services, request: FastifyRequest): Promise<void> {
  const { accessKeys, failures, takesTokens, now } = services
  if (!takesTokens) {
    setCaller(request, EVERYONE)
    return
  }
  const { method, url, host, raw, ip } = request
  const signed = { method, url, host, rawHeaders: raw.rawHeaders }
  const given = parseSignature(signed)
  if (given === undefined) {
    const message = "The request is not signed. `assay token create --s3` makes an access key and its secret."
    throw s3Error("AccessDenied", message)
  }
  try {
    const known = await accessKeys.find(given.accessKey)
    if (known === undefined) {
      const message = "The access key is not valid: it is unknown, or its token was revoked or has expired."
      throw s3Error("InvalidAccessKeyId", message)
    }
    const options = { secrets: known.secrets, now: now(), prefix: S3_PREFIX, hasExpired: accessKeys.hasExpired }
    if ("version" in given) verifyPresignedV2(signed, given, options)
    else request.setDecorator(SIGNING, verifySignature(signed, given, options))
    setCaller(request, known.caller)
  } catch (error) {
    if (!isAssayError(error) || !IS_FAILURE.has(String(error.context["s3"]))) throw error
    const client = clientKey(ip)
    const seconds = failures.secondsToWait(client)
    if (seconds > 0) {
      const message = `The signature is not valid, and neither were too many before it from ${client}. Try again in ${seconds} s.`
      throw new AssayError("too_many_requests", message, { context: { retryAfter: seconds } })
    }
    failures.record(client)
    throw error
  }
}

/** Returns what the chunks of a body are signed with. Undefined: signatures are not checked. */
export function signingOf(request: FastifyRequest): ChunkSigning | undefined {
  return request.getDecorator<ChunkSigning | null>(SIGNING) ?? undefined
}

/** A request to a bucket. */
export interface S3Exchange {
  readonly services: Services
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly bucket: string
  readonly ws: string
  readonly name: string
  /** The first value of each parameter. */
  readonly query: Parameters
}

/** Parameters that do not choose the operation: those of presigned URLs, and the name of the operation in some SDKs. */
const IGNORED = /^(?:x-amz-.*|x-id|AWSAccessKeyId|Expires|Signature|content-type|content-md5)$/i

/**
 * Returns the parameters of a request. Any other parameter names a part of S3 that is not implemented, or a condition that would not hold.
 * @throws `NotImplemented` that names the parameter
 */
export function parametersOf(request: FastifyRequest, allowed: readonly string[]): Parameters {
  const found: Record<string, string> = Object.create(null)
  for (const [name, value] of queryOf(request.url)) {
    if (IGNORED.test(name)) continue
    if (!allowed.includes(name)) {
      throw s3Error(
        "NotImplemented",
        `${request.method} with the parameter '${name.slice(0, 60)}' is not implemented here.`,
      )
    }
    found[name] ??= value
  }
  return found
}

/** Headers of requests with the values that change nothing here. A request with another value is not implemented. */
const SUPPORTED: readonly (readonly [header: RegExp, values: RegExp])[] = [
  [/^x-amz-acl$/, /^(?:private|bucket-owner-full-control)$/],
  [/^x-amz-storage-class$/, /^STANDARD$/],
  [/^x-amz-(?:grant-|object-lock-|bypass-|server-side-encryption|copy-source-server-side-|website-|mfa$)/, /^$/],
  [/^x-amz-(?:tagging|expected-bucket-owner|source-expected-bucket-owner|write-offset-bytes)$/, /^$/],
  [/^x-amz-(?:if-match-|mp-object-size$)/, /^$/],
]

/** @throws `NotImplemented` for a header that asks for something that would not be done */
export function checkHeaders(request: FastifyRequest): void {
  for (const [name, value] of Object.entries(request.headers)) {
    const rule = name.startsWith("x-amz-") ? SUPPORTED.find(([header]) => header.test(name)) : undefined
    if (rule === undefined || rule[1].test(String(value))) continue
    throw s3Error(
      "NotImplemented",
      `The header ${name.slice(0, 60)}: ${String(value).slice(0, 60)} is not implemented here.`,
    )
  }
}

/** Checks the role of the sender in the workspace of a bucket. @throws `not_found`, `forbidden` */
export function requireBucketRole({ request, ws }: Pick<S3Exchange, "request" | "ws">, role: Role): void {
  requireRole(callerOf(request), ws, role)
}
