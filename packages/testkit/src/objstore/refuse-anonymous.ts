import type { Bucket } from "./buckets.ts"
import type { ObjstoreSettings } from "./fake-objstore-options.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import { ObjstoreError } from "./objstore-error.ts"
import type { S3Request } from "./s3-request.ts"

/** What a request without a signature is answered, or undefined where it reads what is public. */
export function refuseAnonymous(
  { method }: S3Request,
  bucket: Bucket | undefined,
  { anonymousStatus }: ObjstoreSettings,
): ObjstoreAnswer | undefined {
  if ((method === "GET" || method === "HEAD") && bucket?.publicRead === true) return undefined
  if (anonymousStatus === 403) throw new ObjstoreError(403, "AccessDenied", "Access Denied")
  // Swift takes it for a request in its own protocol, and for a wrong one.
  return { status: 400, headers: { "content-type": "text/html" }, body: "<html><h1>Bad Request</h1></html>" }
}
