import type { FaultsAtHand } from "./faults.ts"
import type { ObjstoreAnswer } from "./objstore-answer.ts"
import { ObjstoreError } from "./objstore-error.ts"
import type { S3Request } from "./s3-request.ts"

/** What is answered instead of carrying the operation out, or undefined. Throws what is answered as an error of S3. */
export function faultAnswer(request: S3Request, faults: FaultsAtHand): ObjstoreAnswer | undefined {
  const refuse = faults("refuse")
  if (refuse !== undefined) {
    const { status, code = CODES[status] ?? "InternalError", retryAfter } = refuse
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }
    throw new ObjstoreError(status, code, "We encountered a problem. Please try again.", { headers })
  }
  const redirect = faults("redirect")
  if (redirect !== undefined) {
    const { status, to, region } = redirect
    const message = "The bucket you are attempting to access must be addressed using the specified endpoint."
    throw new ObjstoreError(status, status === 301 ? "PermanentRedirect" : "TemporaryRedirect", message, {
      details: { Endpoint: new URL(to).host, Bucket: request.bucket },
      headers: {
        location: new URL(to).origin + request.url,
        ...(region !== undefined && { "x-amz-bucket-region": region }),
      },
    })
  }
  const page = faults("proxy-page")
  if (page === undefined) return undefined
  const body = `<html><head><title>${page.status}</title></head><body><h1>${page.status} The gateway is not well</h1></body></html>`
  return { status: page.status, headers: { "content-type": "text/html" }, body }
}

const CODES: Readonly<Record<number, string>> = {
  408: "RequestTimeout",
  429: "SlowDown",
  503: "SlowDown",
  403: "AccessDenied",
}
