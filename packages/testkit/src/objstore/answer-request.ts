import { findBucket, type Buckets } from "./buckets.ts"
import { checkSignature } from "./check-signature.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { FaultsAtHand } from "./faults.ts"
import type { NamedOperation } from "./find-operation.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import { ObjstoreError } from "./objstore-error.ts"
import type { S3Request } from "./s3-request.ts"
import { receiveBody } from "./receive-body.ts"
import { refuseAnonymous } from "./refuse-anonymous.ts"

export interface AskedRequest {
  readonly request: S3Request
  readonly operation: NamedOperation | undefined
  readonly body: AsyncIterable<Buffer>
  readonly faults: FaultsAtHand
}

/** Checks who asks, then does what is asked. Throws an `ObjstoreError` to refuse. */
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
