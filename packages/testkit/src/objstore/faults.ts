import type { ConnectionFault, Faults, FaultsOf, PlannedFault } from "../planned-faults.ts"
import { type ObjstoreAnswer, ObjstoreError } from "./objstore-answer.ts"
import type { ObjstoreRequest } from "./request-log.ts"
import type { S3Request } from "./s3-request.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type ObjstoreFault =
  | ConnectionFault
  /** An error document instead of an answer; the operation is not executed. With status 200 it looks like success. */
  | { readonly kind: "refuse"; readonly status: number; readonly code?: string; readonly retryAfter?: string | number }
  /** The HTML page of a proxy, which no S3 client can read. */
  | { readonly kind: "proxy-page"; readonly status: number }
  /** Redirects the client to the same path at another origin, with `<Endpoint>`. */
  | { readonly kind: "redirect"; readonly status: 301 | 307; readonly to: string; readonly region?: string }
  /** Closes the connection after a number of bytes of an upload. */
  | { readonly kind: "cut-upload"; readonly after: number }
  /** Returns another version of the object: same size, other bytes, other ETag. Obeys `If-Match` by default. */
  | { readonly kind: "other-version"; readonly ignoreIfMatch?: boolean }
  /** Returns 200 with the whole object for a request with a range. */
  | { readonly kind: "ignore-range" }
  /** Leaves the `<ETag>` of the document empty, as Ceph RGW 16 does for completed uploads. */
  | { readonly kind: "empty-etag" }
  /** Waits a number of milliseconds before the answer, in addition to the latency. */
  | { readonly kind: "latency"; readonly ms: number }
  /** Waits for a promise of the test before the operation is executed. */
  | { readonly kind: "hold"; readonly until: Promise<unknown> }
  /** Limits sending and receiving to a number of bytes per second. */
  | { readonly kind: "rate"; readonly bytesPerSecond: number }

export type PlannedObjstoreFault = PlannedFault<ObjstoreFault, ObjstoreRequest>

/** The faults of the fake. They can be added and removed at any time. */
export type ObjstoreFaults = Faults<ObjstoreFault, ObjstoreRequest>

/** The faults of one request, at most one of each kind. */
export type FaultsAtHand = FaultsOf<ObjstoreFault>

/** Returns the answer that replaces the operation, or undefined. @throws the S3 error of the fault */
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
