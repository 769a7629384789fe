import { type Bucket, type Buckets, findBucket } from "./buckets.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { FaultsAtHand } from "./faults.ts"
import type { NamedOperation } from "./operations/find-operation.ts"
import { type ObjstoreAnswer, ObjstoreError } from "./objstore-answer.ts"
import { receiveBody } from "./receive-body.ts"
import type { S3Request } from "./s3-request.ts"
import { checkSignatureV2 } from "./signatures/signature-v2.ts"
import { V4_ALGORITHM, checkSignatureV4 } from "./signatures/signature-v4.ts"

export interface AskedRequest {
  readonly request: S3Request
  readonly operation: NamedOperation | undefined
  readonly body: AsyncIterable<Buffer>
  readonly faults: FaultsAtHand
}

/** Checks the caller, then executes the operation. @throws `ObjstoreError` as a refusal */
export async function answerRequest(
  { request, operation, body, faults }: AskedRequest,
  buckets: Buckets,
  settings: ObjstoreSettings,
): Promise<ObjstoreAnswer> {
  if (!request.isReadable) throw new ObjstoreError(400, "InvalidURI", "Couldn't parse the specified URI.")
  const authorization = request.headers["authorization"]
  if (authorization === undefined) {
    const refusal = refuseAnonymous(request, buckets.get(request.bucket), settings)
    if (refusal !== undefined) return refusal
  } else {
    checkSignature(request, authorization, settings)
  }
  if (operation === undefined) {
    throw new ObjstoreError(501, "NotImplemented", "This operation is not implemented.", {
      details: { Method: request.method, Resource: request.url },
    })
  }
  const bucket = findBucket(buckets, request.bucket)
  const receive = () => receiveBody(request, body, settings)
  const answer = await operation.run({ request, bucket, buckets, settings, faults, receive })
  if (faults("empty-etag") === undefined || typeof answer.body !== "string") return answer
  return { ...answer, body: answer.body.replace(/<ETag>.*?<\/ETag>/, "<ETag></ETag>") }
}

/** Checks the signature of a request. @throws the error of S3 for a wrong signature or an unknown version */
function checkSignature(request: S3Request, authorization: string, settings: ObjstoreSettings): void {
  const version = authorization.startsWith(`${V4_ALGORITHM} `) ? "v4" : authorization.startsWith("AWS ") ? "v2" : "none"
  if (version === "none") {
    throw new ObjstoreError(400, "InvalidArgument", "Unsupported Authorization Type", {
      details: { ArgumentName: "Authorization" },
    })
  }
  if (!settings.signatures.includes(version)) {
    const understood = settings.signatures.includes("v4") ? V4_ALGORITHM : "AWS"
    const message = `The authorization mechanism you have provided is not supported. Please use ${understood}.`
    throw new ObjstoreError(400, "InvalidRequest", message)
  }
  if (version === "v4") checkSignatureV4(request, settings)
  else checkSignatureV2(request, settings)
}

/** Returns the refusal of a request without a signature, or undefined if it reads a public bucket. */
function refuseAnonymous(
  { method }: S3Request,
  bucket: Bucket | undefined,
  { anonymousStatus }: ObjstoreSettings,
): ObjstoreAnswer | undefined {
  if ((method === "GET" || method === "HEAD") && bucket?.publicRead === true) return undefined
  if (anonymousStatus === 403) throw new ObjstoreError(403, "AccessDenied", "Access Denied")
  // Swift reads it as an invalid request in its own protocol.
  return { status: 400, headers: { "content-type": "text/html" }, body: "<html><h1>Bad Request</h1></html>" }
}
